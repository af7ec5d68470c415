import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { catalogueColumns } from '../../src/uploads/inputs/sheet/columns.ts'
import { readPage, sectionOf } from '../support/machine/pages.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'

/** The start of an image of 32 by 16 pixels, and its end. */
const jpeg = 'ffd8ffe000104a46494600010100000100010000ffc2000b080010002001011100ffd9'

const page = readPage('docs/catalogue.md')
const example = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1] ?? ''

describe('the page on the catalogue', () => {
  it('explains every column, and no other', () => {
    const rows = sectionOf('docs/catalogue.md', '## Columns')
      .split('\n')
      .filter(line => line.startsWith('| `'))
    const named = rows.flatMap(row =>
      [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    )
    expect(named.filter(name => !name.startsWith('metadata.')).sort()).toEqual([...catalogueColumns].sort())
  })

  it.each(['csv', 'yaml'])('has an example in %s that uploads what it lists', async format => {
    const { sandbox } = machine()
    const folder = temporaryFolder()
    for (const book of ['sea', 'land'])
      writeFileSync(join(folder, `${book}.epub`), await makeExampleEpub({ title: book }))
    mkdirSync(join(folder, 'covers'))
    writeFileSync(join(folder, 'covers/sea.jpg'), Buffer.from(jpeg, 'hex'))
    await sandbox(['metadata-keys', 'create', 'series'])
    const sheet = join(folder, `sheet.${format}`)
    writeFileSync(sheet, example(format))
    const { out, err, code } = await sandbox(['publications', 'upload', '--manifest', sheet, '--json'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const [{ publicationId }] = JSON.parse(out)
    const { editions } = JSON.parse((await sandbox(['publications', 'get', publicationId, '--json'])).out)
    expect(editions[0]).toMatchObject({
      title: 'The Sea',
      author: ['Ann Lee', 'Bo Ray'],
      metadata: { series: 'Water' },
    })
  })
})
