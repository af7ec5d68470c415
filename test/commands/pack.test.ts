import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSound } from '../../src/books/audio/index.ts'
import { UsageFailure } from '../../src/system/errors.ts'
import { anyFile } from '../../src/system/may-read.ts'
import { frameSeconds, makeM4b, makeMp3, picture, xingFrame } from '../support/books/make-sound.ts'
import { png } from '../support/books/media.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'

const isSlow = process.env['SLOW'] !== undefined

const tags = {
  TALB: 'The Time Machine',
  TPE1: 'Someone Else',
  TPE2: 'H. G. Wells',
  TCOM: 'A Reader; B Reader',
  TLAN: 'eng',
  TDRC: '1895-05-07',
  TXXX: 'ISBN\x009783161484100',
}

/** A machine with a folder for the sound files of a book. */
function studio(files: Readonly<Record<string, string | Buffer>> = {}) {
  const own = machine()
  const folder = join(own.home, 'book')
  mkdirSync(folder)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const out = join(own.home, 'book.lpf')
  const pack = (...args: string[]) => own.run(['pack', 'audiobook', folder, '--out', out, ...args])
  const planned = async (...args: string[]) => {
    const { code, out: text } = await pack('--dry-run', '--json', ...args)
    expect(code).toBe(0)
    return JSON.parse(text)[0].body
  }
  return { ...own, folder, out, pack, planned }
}

const book = () => ({
  'b.mp3': makeMp3({ tags: { ...tags, TIT2: 'One', TRCK: '1/3', APIC: picture(png) } }),
  'a.mp3': makeMp3({ frames: 50, tags: { ...tags, TIT2: 'Two', TRCK: '2/3' } }),
  'c.m4a': makeM4b({ seconds: 30 }),
})

describe('pubctl pack audiobook', () => {
  it('makes a package that inspect finds no fault with, and that is uploaded', async () => {
    const { pack, sandbox, run, out } = studio({
      'b.mp3': book()['b.mp3'],
      'a.mp3': book()['a.mp3'],
      'notes.txt': 'Recorded in May',
    })
    const { code, out: text, err } = await pack('--json')
    expect(code).toBe(0)
    expect(JSON.parse(err)).toMatchObject({
      warning: { code: 'left_out', message: expect.stringMatching(/notes\.txt$/) },
    })
    const result = JSON.parse(text)
    expect(result).toMatchObject({
      title: 'The Time Machine',
      authors: ['H. G. Wells'],
      narrators: ['A Reader', 'B Reader'],
      language: 'en',
      isbn: '9783161484100',
      cover: 'image/png',
      trackCount: 2,
      problems: [],
    })
    expect(result.duration).toBeCloseTo(150 * frameSeconds, 2)
    const inspected = JSON.parse((await run(['inspect', out, '--json', '--strict'])).out)
    expect(inspected).toMatchObject({
      type: 'Audio',
      title: 'The Time Machine',
      authors: ['H. G. Wells'],
      isbn: '9783161484100',
      trackCount: 2,
      navigation: [{ title: 'One' }, { title: 'Two' }],
      cover: { mediaType: 'image/png' },
      problems: [],
    })
    const uploaded = await sandbox(['publications', 'upload', out, '--json'])
    expect(JSON.parse(uploaded.out)).toMatchObject({ type: 'Audio', uploadStatus: 'available' })
  })

  it('says with --dry-run what it would write, and writes nothing', async () => {
    const { planned, home } = studio(book())
    const manifest = await planned(
      '--title',
      'Another',
      '--author',
      'A',
      '--narrator',
      'N',
      '--language',
      'de',
    )
    expect(manifest).toMatchObject({
      conformsTo: 'https://www.w3.org/TR/audiobooks/',
      name: 'Another',
      author: ['A'],
      readBy: ['N'],
      inLanguage: 'de',
      id: 'urn:isbn:9783161484100',
      datePublished: '1895',
    })
    // One of the files has no number, so all are in the order of their names.
    expect(manifest.readingOrder.map(({ name }: { name: string }) => name)).toEqual(['Two', 'One', 'c'])
    expect(manifest.readingOrder[2]).toMatchObject({ encodingFormat: 'audio/mp4', duration: 'PT30S' })
    expect(readdirSync(home)).not.toContain('book.lpf')
  })

  it.each(['track', 'list'] as const)('takes the chapters of an .m4b from its %s', async chaptersIn => {
    const { run, home, out } = studio()
    const path = join(home, 'one.m4b')
    const chapters = [
      { title: 'Beginning', start: 0 },
      { title: 'End & more', start: 40 },
    ]
    writeFileSync(
      path,
      makeM4b({
        chapters,
        chaptersIn,
        cover: png,
        tags: { '\xa9alb': 'Flatland', '\xa9ART': 'Edwin A. Abbott' },
      }),
    )
    const { code, out: text } = await run(['pack', 'audiobook', path, '--out', out, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(text)).toMatchObject({
      ...{ title: 'Flatland', authors: ['Edwin A. Abbott'], language: 'en', duration: 60 },
      ...{ trackCount: 1, chapterCount: 2, problems: [] },
    })
    // Entries are stored as they are, so the page stands in the zip.
    const zip = readFileSync(out, 'utf8')
    expect(zip).toContain('<li><a href="audio/01.m4a#t=0">Beginning</a></li>')
    expect(zip).toContain('<li><a href="audio/01.m4a#t=40">End &amp; more</a></li>')
  })

  it('leaves a file alone that is there, unless it is told to replace it', async () => {
    const { pack, out } = studio({ 'a.mp3': makeMp3({ tags }) })
    writeFileSync(out, 'mine')
    expect(await pack()).toMatchObject({ code: 2, err: expect.stringContaining('is there already') })
    expect(readFileSync(out, 'utf8')).toBe('mine')
    expect((await pack('--force')).code).toBe(0)
    expect(readFileSync(out, 'latin1')).toMatch(/^PK/)
  })

  it.each<[string, Record<string, string | Buffer>, string[], RegExp]>([
    ['sound of another kind', { 'a.mp3': makeMp3({ tags }), 'b.flac': 'fLaC' }, [], /b\.flac is neither MP3/],
    ['nothing', {}, [], /there are no sound files/],
    ['no title', { 'a.mp3': makeMp3(), 'b.mp3': makeMp3() }, [], /no file says .* called\n.*--title/],
    ['a text', { 'a.mp3': 'Dear Sir' }, [], /a\.mp3 is neither MP3 nor MP4/],
    [
      'a single frame that is cut',
      { 'a.mp3': makeMp3({ frames: 1 }).subarray(0, 8) },
      [],
      /a\.mp3 is neither/,
    ],
    ['a cut file', { 'a.m4b': makeM4b().subarray(0, -40) }, [], /a\.m4b ends before it is complete/],
    ['a protected file', { 'a.m4b': makeM4b({ samples: 'drms' }) }, [], /is protected against copying/],
    ['no language', { 'a.mp3': makeMp3({ tags }) }, ['--language', 'English'], /is not a language tag/],
    ['another ending', { 'a.mp3': makeMp3({ tags }) }, ['--out', 'a.zip'], /its name ends in \.lpf/i],
    ['no cover', { 'a.mp3': makeMp3({ tags }) }, ['--cover', 'none.png'], /cannot read none\.png/],
  ])('refuses %s in a sentence', async (_, files, args, words) => {
    const { pack, out, home } = studio(files)
    const { code, out: text, err } = await pack(...args)
    expect({ code, text }).toEqual({ code: 2, text: '' })
    expect(err).toMatch(words)
    expect(existsSync(out)).toBe(false)
    expect(readdirSync(home).filter(name => name.startsWith('.pubctl'))).toEqual([])
  })

  it('is named where sound is given as a book', async () => {
    const { run, folder } = studio({ 'a.mp3': makeMp3() })
    const { code, err } = await run(['inspect', join(folder, 'a.mp3')])
    expect(code).toBe(2)
    expect(err).toMatch(/a sound or video file, not a book\n.*pubctl pack audiobook/)
  })
})

describe('the playing time of MP3', () => {
  const secondsOf = async (content: Buffer) => {
    const path = join(temporaryFolder(), 'a.mp3')
    writeFileSync(path, content)
    return (await readSound(path, anyFile)).duration
  }

  it('is that of its frames, whatever stands before, between and after them', async () => {
    const noise = Buffer.concat([Buffer.alloc(300), Buffer.from([0xff, 0xfb, 0x90]), Buffer.alloc(200, 7)])
    for (const content of [
      makeMp3(),
      makeMp3({ before: xingFrame() }),
      makeMp3({ before: noise }),
      makeMp3({ after: Buffer.from(`TAG${'x'.repeat(125)}`) }),
      Buffer.concat([makeMp3({ frames: 60 }), noise, makeMp3({ frames: 40 })]),
    ])
      expect(await secondsOf(content)).toBeCloseTo(100 * frameSeconds, 3)
  })

  it('comes with the chapters of the tag', async () => {
    const path = join(temporaryFolder(), 'a.mp3')
    const chapters = [
      { title: 'One', start: 0 },
      { title: 'Two', start: 1 },
    ]
    writeFileSync(path, makeMp3({ chapters }))
    expect((await readSound(path, anyFile)).chapters).toEqual(chapters)
  })
})

it('a sound file that is damaged on purpose is read or refused, and never for long', async () => {
  const path = join(temporaryFolder(), 'a.bin')
  const chapters = [
    { title: 'One', start: 0 },
    { title: 'Two', start: 1 },
  ]
  const sound = [
    makeMp3({ frames: 3, tags: { ...tags, APIC: picture(png) }, chapters }),
    makeM4b({ chapters, cover: png, tags: { '\xa9alb': 'x' } }),
    makeM4b({ chapters, chaptersIn: 'list' }),
  ]
  for (const original of sound) {
    for (let at = 0; at < Math.min(original.length, 1500); at += isSlow ? 1 : 7) {
      for (const value of [0, 0x7f, 0xff]) {
        const content = Buffer.from(original)
        content[at] = value
        writeFileSync(path, content)
        await readSound(path, anyFile).catch(error => expect(error).toBeInstanceOf(UsageFailure))
      }
    }
  }
})
