import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { rawZip } from '../support/books/hostile-zip.ts'
import { fileOf } from '../support/books/make-book.ts'
import { frameSeconds, makeM4b, makeMp3 } from '../support/books/make-sound.ts'
import { readBook } from '../support/books/read-book.ts'
import { machine } from '../support/machine/pubctl.ts'

const packed = (entries: Record<string, string | Buffer>, isDeflated = false) =>
  rawZip(Object.entries(entries).map(([name, content]) => ({ name, content, isDeflated })))
const tracks = { 'a.mp3': makeMp3({ frames: 400 }), 'b.m4a': makeM4b({ seconds: 30 }) }
const mp3 = 400 * frameSeconds
const manifest = (durations: readonly (number | undefined)[], more: object = {}) => ({
  ...{ conformsTo: 'https://www.w3.org/TR/audiobooks/', name: 'A', author: 'B', inLanguage: 'en' },
  readingOrder: Object.keys(tracks).map((url, index) => ({
    url,
    ...(durations[index] && { duration: `PT${durations[index]}S` }),
  })),
  ...more,
})
const read = (json: object, isDeflated = false) =>
  readBook(fileOf(packed({ 'publication.json': JSON.stringify(json), ...tracks }, isDeflated), 'book.lpf'))
const saidOf = async (json: object) =>
  (await read(json)).problems.map(({ code, message }) => `${code}: ${message}`)

describe('the playing time of an audiobook', () => {
  it.each([false, true])(
    'is measured, and said where the manifest does not say it (deflated: %s)',
    async isDeflated => {
      const book = await read(manifest([]), isDeflated)
      expect(book.playingTime).toBeCloseTo(mp3 + 30, 2)
      expect(book).toMatchObject({ duration: book.playingTime, trackCount: 2, problems: [] })
    },
  )

  it('may be rounded', async () => {
    expect(await saidOf(manifest([Math.round(mp3), 31], { duration: `PT${Math.round(mp3) + 31}S` }))).toEqual(
      [],
    )
    expect(await saidOf(manifest([], { duration: 'PT43S' }))).toEqual([])
  })

  it('is a warning where a track plays shorter than the manifest says, or the book longer', async () => {
    expect(await saidOf(manifest([1800, 30]))).toEqual([
      'track_duration_wrong: The track "a.mp3" plays 10.4 seconds, and the manifest says 1,800.',
    ])
    expect(await saidOf(manifest([], { duration: 'PT20S' }))).toEqual([
      expect.stringMatching(
        /^duration_mismatch: The duration of the book is 20 seconds, but its tracks play 40\.4/,
      ),
    ])
  })

  it.each([false, true])(
    'is unknown of a track that ends within its first frame (deflated: %s)',
    async isDeflated => {
      const cut = { 'a.mp3': makeMp3({ frames: 1 }).subarray(0, 8) }
      const json = { ...manifest([]), readingOrder: ['a.mp3'] }
      const book = await readBook(
        fileOf(packed({ 'publication.json': JSON.stringify(json), ...cut }, isDeflated), 'book.lpf'),
      )
      expect(book).toMatchObject({ trackCount: 1 })
      expect(book).not.toHaveProperty('playingTime')
    },
  )

  it('is not that of a file of which a track is a part', async () => {
    const parts = ['a.mp3#t=0,5', 'a.mp3#t=5,10'].map(url => ({ url, duration: 'PT5S' }))
    const book = await read({ ...manifest([]), readingOrder: parts })
    expect(book).toMatchObject({ duration: 10, problems: [] })
    expect(book).not.toHaveProperty('playingTime')
  })
})

const readium = {
  '@context': 'https://readium.org/webpub-manifest/context.jsonld',
  metadata: {
    '@type': 'http://schema.org/Audiobook',
    title: { en: 'Moby Dick', fr: 'Moby-Dick' },
    author: [{ name: 'Herman Melville' }],
    narrator: 'A Reader',
    language: ['en'],
    identifier: 'urn:isbn:9783161484100',
    publisher: 'A Press',
    duration: 40.4,
  },
  links: [{ rel: 'self', href: 'https://press.example/manifest.json' }],
  readingOrder: [
    { href: 'a.mp3', type: 'audio/mpeg', title: 'One', duration: 10.4 },
    { href: 'b.m4a', type: 'audio/mp4', title: 'Two', duration: 300 },
  ],
}

describe('a package of Readium', () => {
  const bytes = packed({ 'manifest.json': JSON.stringify(readium), ...tracks })

  it('is read, and is an error, since the service names LPF', async () => {
    expect(await readBook(fileOf(bytes, 'book.audiobook'))).toMatchObject({
      ...{ type: 'Audio', mediaType: 'application/audiobook+zip', title: 'Moby Dick' },
      creators: [
        { name: 'Herman Melville', roles: ['aut'] },
        { name: 'A Reader', roles: ['nrt'] },
      ],
      ...{ language: 'en', isbn: '9783161484100', publisher: 'A Press', duration: 40.4, trackCount: 2 },
      navigation: [{ title: 'One' }, { title: 'Two' }],
      problems: [
        { severity: 'error', code: 'not_lpf', place: 'manifest.json' },
        { severity: 'warning', code: 'track_duration_wrong' },
        { severity: 'warning', code: 'duration_mismatch' },
      ],
    })
  })

  it('is told from other things that have a manifest.json', async () => {
    const other = packed({ 'manifest.json': '{"manifest_version":3,"name":"Extension"}' })
    await expect(readBook(fileOf(other, 'a.zip'))).rejects.toMatchObject({ code: 'not_a_book' })
  })
})

it('a file of sound and a package of Readium are sent with --no-check alone', async () => {
  const { run, home } = machine()
  writeFileSync(`${home}/a.mp3`, makeMp3({ tags: { TALB: 'The Time Machine' } }))
  writeFileSync(`${home}/a.audiobook`, packed({ 'manifest.json': JSON.stringify(readium), ...tracks }))
  const upload = (name: string, ...args: string[]) =>
    run(['--profile', 'sandbox', 'publications', 'upload', `${home}/${name}`, '--no-wait', '--json', ...args])
  const checked = await upload('a.mp3', '--type', 'Audio')
  expect([checked.code, checked.err]).toEqual([2, expect.stringContaining('pubctl pack audiobook')])
  expect((await upload('a.mp3', '--no-check')).code).toBe(2)
  const sent = await upload('a.mp3', '--type', 'Audio', '--no-check')
  expect([sent.code, JSON.parse(sent.out)]).toMatchObject([0, { type: 'Audio', title: 'The Time Machine' }])
  const packaged = await upload('a.audiobook')
  expect([packaged.code, packaged.err]).toEqual([2, expect.stringContaining('not_lpf')])
  expect((await upload('a.audiobook', '--no-check')).code).toBe(0)
})
