import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { areThere, samples } from '../support/books/samples.ts'
import { identifier, message, record, title } from '../support/catalogues/onix.ts'
import { environment, pathWithPubctl } from '../support/machine/bin.ts'
import { sectionOf } from '../support/machine/pages.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { startServer } from '../support/servers/sandbox-server.ts'

const [sea, land, sky] = ['9783161484100', '9780306406157', '9780198526636'] as const

/** The shell blocks of the section, in their order: what is done once, and what is done every week. */
const [once = '', weekly = ''] = [
  ...sectionOf('docs/catalogue.md', '## The weekly feed').matchAll(/^```sh\n(.*?)^```$/gms),
].map(([, block]) => block)

/** A runner of CI with a feed, books, and a service. */
async function runner() {
  const checkout = temporaryFolder()
  mkdirSync(join(checkout, 'books/new'), { recursive: true })
  const { baseUrl, key } = await startServer(temporaryFolder(), ['--processing-delay', '5ms'])
  const path = pathWithPubctl()
  const run = (script: string) =>
    execa('/bin/sh', ['-c', script], {
      cwd: checkout,
      env: environment({ CI: 'true', PATH: path, PUBCTL_API_KEY: key, PUBCTL_BASE_URL: baseUrl }),
      extendEnv: false,
      reject: false,
    })
  return {
    ...{ checkout, run },
    json: async (command: string) => JSON.parse((await run(`pubctl ${command} --json`)).stdout),
    feed: (...records: string[]) => writeFileSync(join(checkout, 'feed.xml'), message(...records)),
    book: async (name: string, paddingBytes = 0) =>
      writeFileSync(join(checkout, 'books', name), await makeExampleEpub({ title: name, paddingBytes })),
    report: () =>
      /<testsuite (?:name="[^"]*" )?(.*)>/.exec(readFileSync(join(checkout, 'receipts.xml'), 'utf8'))?.[1],
    counts: () =>
      JSON.parse(readFileSync(join(checkout, 'plan.ndjson'), 'utf8').split('\n', 1)[0] ?? '').counts,
  }
}

const text = (content: string): string =>
  `<TextContent><TextType>03</TextType><ContentAudience>00</ContentAudience><Text>${content}</Text></TextContent>`
const product = (isbn: string, name: string, about: string): string =>
  record({
    ...{ reference: `org.example.${isbn}`, identifiers: identifier('15', isbn) },
    ...{ title: title({ TitleText: name }), collateral: text(about) },
  })

describe.runIf(isSlow)('the weekly feed', () => {
  it('is sent as the page says, and only what changed the next week', async () => {
    const { run, feed, book, report, counts, json, checkout } = await runner()
    expect(await run(once)).toMatchObject({ exitCode: 0 })
    feed(product(sea, 'The Sea', 'Salt.'), product(land, 'The Land', 'Earth.'))
    await book(`${sea}.epub`)
    await book(`new/${land}_final.epub`)
    expect(await run(weekly)).toMatchObject({ exitCode: 0 })
    expect([counts(), report()]).toEqual([{ create: 2 }, 'tests="2" failures="0" skipped="0"'])

    feed(
      product(sea, 'The Sea', 'Salt.'),
      product(land, 'The Land', 'Loam.'),
      product(sky, 'The Sky', 'Air.'),
    )
    await book(`${sea}.epub`, 500)
    await book(`${sky}.epub`)
    // The folder that pubctl keeps may be lost as well.
    rmSync(join(checkout, '.pubctl'), { recursive: true })
    expect(await run(weekly)).toMatchObject({ exitCode: 0 })
    expect([counts(), report()]).toEqual([
      { edition: 1, update: 1, create: 1 },
      'tests="3" failures="0" skipped="0"',
    ])
    const listed = await json('publications list')
    const editions = listed.map(
      async ({ publicationId, title }: { publicationId: string; title: string }) => {
        const { editions, description } = await json(`publications get ${publicationId}`)
        return [title, description, editions.length]
      },
    )
    expect((await Promise.all(editions)).sort()).toEqual([
      ['The Land', 'Loam.', 1],
      ['The Sea', 'Salt.', 2],
      ['The Sky', 'Air.', 1],
    ])
    expect(await run(weekly)).toMatchObject({ exitCode: 0 })
    expect([counts(), report()]).toEqual([{ skip: 3 }, 'tests="0" failures="0" skipped="0"'])

    const exported =
      'pubctl catalogue export --out books.csv && pubctl catalogue plan books.csv --detailed-exitcode'
    expect(await run(exported)).toMatchObject({ exitCode: 0 })
  })

  it('sends what it can, and ends with the exit codes that the page says', async () => {
    const { run, feed, book, report } = await runner()
    await run(once)
    await book(`${sea}.epub`)
    feed(product(sea, 'The Sea', 'Salt.'), product('9783161484101', 'Broken', 'Bad.'))
    expect(await run(weekly)).toMatchObject({ exitCode: 10 })
    expect(report()).toBe('tests="2" failures="1" skipped="0"')
    feed(product(sea, 'The Sea', 'Salt.'), product(land, 'The Land', 'Earth.'))
    expect(await run(weekly)).toMatchObject({ exitCode: 14 })
    expect(report()).toBe('tests="1" failures="1" skipped="0"')
  })
})

describe.runIf(isSlow && areThere)('a sample message', () => {
  it.each(['reflowable.xml', 'fixed_layout.xml'])('%s is planned, sent, exported and equal', async name => {
    const { run, checkout, counts, report, json } = await runner()
    expect(await run(`${once}pubctl metadata-keys create reference`)).toMatchObject({ exitCode: 0 })
    copyFileSync(join(samples, 'onix', name), join(checkout, 'feed.xml'))
    const { stdout } = await run('pubctl catalogue plan feed.xml --match metadata:reference --json')
    const [{ key, title, action }] = JSON.parse(stdout)
    expect(action).toBe('no-file')
    writeFileSync(join(checkout, `books/${key}.epub`), await makeExampleEpub({ title: 'Own' }))
    const plan = `pubctl catalogue plan feed.xml --match metadata:reference --files books --name '{key}.epub'`
    const whole = `set -e
      ${plan} --out plan.ndjson
      pubctl catalogue apply plan.ndjson --report receipts.xml
      ${plan} --detailed-exitcode
      pubctl catalogue export --out books.csv
      pubctl catalogue plan books.csv --detailed-exitcode`
    expect(await run(whole)).toMatchObject({ exitCode: 0 })
    expect([counts(), report()]).toEqual([{ create: 1 }, 'tests="1" failures="0" skipped="0"'])
    expect(await json('publications list')).toMatchObject([{ title, uploadStatus: 'available' }])
  })
})
