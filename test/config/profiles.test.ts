import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { UsageFailure } from '../../src/system/errors.ts'
import { built } from '../support/machine/built.ts'
import { bundleScript, removeFolder, startScript } from '../support/machine/child-script.ts'
import { isSlow } from '../support/machine/slow.ts'

// With the schema of the file as the build compiles it, which would otherwise take longer than most of these tests.
const { openProfiles } = (await built(
  'src/config/profiles.ts',
)) as typeof import('../../src/config/profiles.ts')

const root = mkdtempSync(join(tmpdir(), 'pubctl-profiles-'))
const work = { baseUrl: 'https://api.example.com', apiKey: 'pk_work_0123456789' }
let folder: string
let file: string

afterAll(() => removeFolder(root))
beforeEach(() => {
  folder = join(mkdtempSync(join(root, 'case-')), 'config', 'pubctl')
  file = join(folder, 'config.json')
})

const modeOf = (path: string) => statSync(path).mode & 0o777

function writeByHand(content: unknown): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 })
}

const failureOf = async (attempt: Promise<unknown>): Promise<UsageFailure> => {
  const error = (await attempt.then(
    () => undefined,
    (error: unknown) => error,
  )) as UsageFailure
  expect(error).toMatchObject({ code: expect.any(String), exitCode: 2 })
  return error
}

describe('the profiles', () => {
  it('are none at first, and looking for them makes nothing', async () => {
    const profiles = openProfiles(folder)
    expect(await profiles.list()).toEqual([])
    expect(await profiles.current()).toBeUndefined()
    await expect(profiles.get('work')).rejects.toMatchObject({ code: 'unknown_profile', exitCode: 2 })
    expect(profiles.unsafeModes()).toEqual([])
    expect(existsSync(folder)).toBe(false)
  })

  it('are saved for their owner alone, under any mask', async () => {
    const before = process.umask(0)
    try {
      await openProfiles(folder).save('work', work)
    } finally {
      process.umask(before)
    }
    expect([modeOf(folder), modeOf(file)]).toEqual([0o700, 0o600])
    expect(readdirSync(folder)).toEqual(['config.json'])
  })

  it('come back as they were saved', async () => {
    const full = {
      baseUrl: 'http://10.0.0.7:8080/books',
      keyCommand: 'op read op://vault/key',
      allowHttp: true,
      multiValue: 'comma',
    } as const
    await openProfiles(folder).save('work', work)
    await openProfiles(folder).save('lan.box', full)
    expect(await openProfiles(folder).list()).toEqual([
      { name: 'lan.box', profile: full, isCurrent: false },
      { name: 'work', profile: work, isCurrent: true },
    ])
    expect(await openProfiles(folder).get('lan.box')).toEqual(full)
  })

  it('have the first one as the current one, until another is used or it is removed', async () => {
    const profiles = openProfiles(folder)
    await profiles.save('work', work)
    await profiles.save('home', work)
    expect(await profiles.current()).toBe('work')
    await profiles.use('home')
    expect(await profiles.current()).toBe('home')
    await profiles.remove('work')
    expect(await profiles.current()).toBe('home')
    await profiles.remove('home')
    expect(await profiles.current()).toBeUndefined()
    expect(await profiles.list()).toEqual([])
  })

  it('may have the sandbox as the current one, which is not listed', async () => {
    const profiles = openProfiles(folder)
    await profiles.use('sandbox')
    expect(await profiles.current()).toBe('sandbox')
    await profiles.save('work', work)
    expect(await profiles.current()).toBe('sandbox')
    expect((await profiles.list()).map(({ name }) => name)).toEqual(['work'])
  })

  it.each(['constructor', 'toString', 'a.b.c', 'hasOwnProperty', 'prototype', 'X', '7'])(
    'may be called %s',
    async name => {
      const profiles = openProfiles(folder)
      await expect(profiles.get(name)).rejects.toMatchObject({ code: 'unknown_profile' })
      await profiles.save('other', work)
      await profiles.save(name, { ...work, apiKey: 'pk_named' })
      await profiles.use(name)
      expect(await profiles.get(name)).toEqual({ ...work, apiKey: 'pk_named' })
      expect(await profiles.current()).toBe(name)
      await profiles.remove(name)
      await expect(profiles.get(name)).rejects.toMatchObject({ code: 'unknown_profile' })
      expect((await profiles.list()).map(({ name }) => name)).toEqual(['other'])
    },
  )

  it.each([
    '',
    '__proto__',
    '.hidden',
    '-p',
    'two words',
    'a/b',
    'ü',
    'x'.repeat(65),
    'sandbox',
    'Sandbox',
    'a\n',
  ])('may not be called %j', async name => {
    await expect(openProfiles(folder).save(name, work)).rejects.toMatchObject({
      code: 'unfit_name',
      exitCode: 2,
    })
    expect(existsSync(folder)).toBe(false)
  })

  it.each(['__proto__', 'constructor'])('have none called %s unless it was saved', async name => {
    const profiles = openProfiles(folder)
    await profiles.save('work', work)
    for (const attempt of [profiles.get, profiles.use, profiles.remove]) {
      await expect(attempt(name)).rejects.toMatchObject({ code: 'unknown_profile' })
    }
  })

  it('say which there are when one is not', async () => {
    const profiles = openProfiles(folder)
    await profiles.save('work', work)
    await profiles.save('home', work)
    const failure = await failureOf(profiles.get('wrok'))
    expect(failure.message).toBe('there is no profile "wrok"')
    expect(failure.hint).toContain('home, work, sandbox')
  })

  it('refuse plain http to another machine unless it is allowed', async () => {
    const profiles = openProfiles(folder)
    const lan = { ...work, baseUrl: 'http://10.0.0.7' }
    await expect(profiles.save('lan', lan)).rejects.toMatchObject({ code: 'insecure_address' })
    await profiles.save('lan', { ...lan, allowHttp: true })
    await profiles.save('here', { ...work, baseUrl: 'http://127.0.0.1:8787' })
    expect(await profiles.list()).toHaveLength(2)
  })
})

describe('a configuration written by hand', () => {
  it.each([
    ['{ "profiles": { "work": { "apiKey": "pk_secret_1" "x" } } }', 'is not valid JSON'],
    ['{\n  "profiles": {\n    "work": pk_secret_1\n  }\n}', 'is not valid JSON'],
    ['', 'is not valid JSON'],
    ['[]', 'holds no JSON object'],
    ['null', 'holds no JSON object'],
  ])('that is broken is named, not quoted, and not overwritten: %j', async (content, words) => {
    writeByHand(content)
    const profiles = openProfiles(folder)
    const attempts = [
      profiles.list,
      profiles.current,
      () => profiles.save('new', work),
      () => profiles.use('sandbox'),
    ]
    for (const attempt of attempts) {
      const failure = await failureOf(attempt())
      expect(failure).toMatchObject({ code: 'config_broken', exitCode: 2 })
      expect(failure.message).toContain(folder)
      expect(failure.message).toContain(words)
      expect(`${failure.message} ${failure.hint} ${failure.cause}`).not.toContain('pk_secret')
    }
    expect(readFileSync(file, 'utf8')).toBe(content)
    expect(readdirSync(folder)).toEqual(['config.json'])
  })

  it.each([
    [{ profiles: [] }, '"profiles" is not an object'],
    [{ profiles: 'work' }, '"profiles" is not an object'],
    [{ profiles: {}, current: 7 }, '"current" is not a name'],
  ])('of another shape is named: %j', async (content, words) => {
    writeByHand(content)
    const failure = await failureOf(openProfiles(folder).list())
    expect(failure.message).toBe(`in ${file}, ${words}`)
  })

  it.each([
    ['text', 'is not an object'],
    [null, 'is not an object'],
    [{}, 'has no text for "baseUrl"'],
    [{ ...work, apiKey: 7 }, 'has an "apiKey" that is not text'],
    [{ ...work, apiKey: 'pk_secret 1' }, 'holds a space, a line break or another character'],
    [{ ...work, apiKey: '' }, 'is empty'],
    [{ ...work, keyCommand: 'echo pk_secret' }, 'has both an "apiKey" and a "keyCommand"'],
    [{ ...work, keychain: '0123456789abcdef' }, 'has both an "apiKey" and a "keychain"'],
    [{ baseUrl: work.baseUrl, keychain: 'pk_secret' }, 'has a "keychain" that is not the id of a key'],
    [{ baseUrl: work.baseUrl, keychain: true }, 'has a "keychain" that is not the id of a key'],
    [{ baseUrl: work.baseUrl, keyCommand: ' ' }, 'has a "keyCommand" that is not a command'],
    [{ ...work, allowHttp: 'yes' }, 'has an "allowHttp" that is neither true nor false'],
    [{ ...work, multiValue: 'tabs' }, 'has a "multiValue" that is neither "repeat" nor "comma"'],
    [{ ...work, baseUrl: 'api.example.com' }, 'is not an absolute http or https address'],
    [{ ...work, baseUrl: 'https://ada:pk_secret@example.com' }, 'has a user name or a password in it'],
  ])('with an unfit profile says so in one sentence: %j', async (profile, words) => {
    writeByHand({ profiles: { odd: profile, good: work } })
    const profiles = openProfiles(folder)
    const failure = await failureOf(profiles.get('odd'))
    expect(failure.message).toContain('"odd"')
    expect(failure.message).toContain(words)
    expect(failure.message).not.toContain('pk_secret')
    expect(await profiles.get('good')).toEqual(work)
    await profiles.remove('odd')
    expect(await profiles.list()).toHaveLength(1)
  })

  it('keeps what pubctl does not know', async () => {
    writeByHand({ theme: 'dark', profiles: { work: { ...work, colour: 'red' } } })
    await openProfiles(folder).save('home', work)
    const stored = JSON.parse(readFileSync(file, 'utf8'))
    expect(stored).toEqual({
      theme: 'dark',
      current: 'home',
      profiles: { work: { ...work, colour: 'red' }, home: work },
    })
  })

  it('may begin with a byte order mark', async () => {
    writeByHand(`\ufeff${JSON.stringify({ profiles: { work } })}`)
    expect(await openProfiles(folder).get('work')).toEqual(work)
  })

  it('with loose modes is reported, and left as it is by reading', async () => {
    writeByHand({ profiles: { work } })
    chmodSync(folder, 0o755)
    chmodSync(file, 0o640)
    const profiles = openProfiles(folder)
    await profiles.list()
    expect(profiles.unsafeModes()).toEqual([
      { path: folder, mode: 0o755, wanted: 0o700 },
      { path: file, mode: 0o640, wanted: 0o600 },
    ])
    expect(openProfiles(folder, { platform: 'win32' }).unsafeModes()).toEqual([])
    expect([modeOf(folder), modeOf(file)]).toEqual([0o755, 0o640])
  })

  it('that is a folder cannot be read, and says so', async () => {
    mkdirSync(file, { recursive: true })
    const failure = await failureOf(openProfiles(folder).list())
    expect(failure).toMatchObject({ code: 'config_unreadable' })
    expect(failure.message).toContain('EISDIR')
  })
})

describe('several processes', () => {
  it.runIf(isSlow)('that save at once lose nothing of each other', async () => {
    const script = join(root, 'saver.mjs')
    await bundleScript(
      `import { openProfiles } from '../../src/config/profiles.ts'
      const [folder, who] = process.argv.slice(2)
      for (let turn = 0; turn < 50; turn++) {
        await openProfiles(folder).save(who + '.' + turn, { baseUrl: 'https://api.example.com', apiKey: who + turn })
      }`,
      script,
    )
    const savers = ['a', 'b', 'c', 'd'].map(who => startScript(script, [folder, who]).done)
    await Promise.all(savers)
    const names = (await openProfiles(folder).list()).map(({ name }) => name)
    expect(names).toHaveLength(200)
    expect(new Set(names).size).toBe(200)
    expect(readdirSync(folder)).toEqual(['config.json'])
    expect([modeOf(folder), modeOf(file)]).toEqual([0o700, 0o600])
  })
})
