import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bookOf, catalogue, isbns } from '../support/catalogues/catalogue.ts'
import { dataFolder } from '../support/servers/sandbox.ts'
import { startServer } from '../support/servers/sandbox-server.ts'

const header = 'file,title,author,isbn'

describe('a row whose ISBN changed', () => {
  it('is a conflict until --new or a map settles it, and the old one is in no source', async () => {
    const { write, book, plan, upload } = catalogue()
    book('alpha.epub', bookOf('Alpha'))
    write(header, `alpha.epub,Alpha,Ann,${isbns[0]}`)
    await upload()
    write(header, `alpha.epub,Alpha,Ann,${isbns[1]}`)
    const { code, steps } = await plan('--orphans', '--detailed-exitcode')
    const id = steps[0]?.publicationId
    expect({ code, steps }).toMatchObject({
      code: 14,
      steps: [
        {
          action: 'conflict',
          key: isbns[1],
          why: `the same file is at the service as ${id} with the ISBN ${isbns[0]}`,
          hint: expect.stringMatching(/publicationId.*--new/),
          send: null,
        },
        { action: 'orphan', key: isbns[0], publicationId: id },
      ],
    })
    expect((await plan('--orphans', '--new')).actions).toEqual(['create', 'orphan'])
    write(`${header},publicationId`, `alpha.epub,Alpha,Ann,${isbns[1]},${id}`)
    expect((await plan('--orphans')).steps).toMatchObject([{ action: 'blocked', fields: ['isbn'] }])
    expect((await plan('--orphans', '--reissue')).actions).toEqual(['edition'])
    write(header, `alpha.epub,Alpha,Ann,${isbns[1]}`, `,Alpha,Ann,${isbns[0]}`)
    expect((await plan('--orphans')).actions).toEqual(['conflict', 'skip'])
  })

  it('is a conflict also where only size and title are known to be the same', async () => {
    const { baseUrl, key } = await startServer(dataFolder())
    const { write, book, plan, upload, home } = catalogue({
      ...{ PUBCTL_BASE_URL: baseUrl, PUBCTL_API_KEY: key, PUBCTL_SANDBOX_DELAY: '5ms' },
    })
    book('alpha.epub', bookOf('Alpha'))
    write(header, `alpha.epub,Alpha,Ann,${isbns[0]}`)
    await upload()
    rmSync(`${home}/.local`, { recursive: true })
    write(header, `alpha.epub,Alpha,Ann,${isbns[1]}`)
    const [step, ...more] = (await plan('--orphans')).steps
    expect(step).toMatchObject({
      ...{ action: 'conflict', proof: 'unproven' },
      why: `a file of its title and size is at the service as ${step?.publicationId} with the ISBN ${isbns[0]}`,
    })
    expect(more).toMatchObject([{ action: 'orphan' }])
    book('alpha.epub', bookOf('Alpha', 'Another text.'))
    expect((await plan('--orphans')).actions).toEqual(['create', 'orphan'])
  })
})
