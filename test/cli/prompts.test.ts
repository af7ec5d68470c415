import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { exampleBook } from '../support/books/example-book.ts'
import { fileOf } from '../support/books/make-book.ts'
import { runBin } from '../support/machine/bin.ts'
import { atTerminal } from '../support/machine/pseudo-terminal.ts'
import { machine } from '../support/machine/pubctl.ts'
import { isSlow, share } from '../support/machine/slow.ts'
import { foreignControls } from '../support/machine/terminal.ts'
import { json, serve } from '../support/servers/server.ts'

const canary = 'canary-typed-key-0123456789'
const [enter, controlC] = ['\r', '\u0003']
const sandbox = (...args: string[]) => ['--profile', 'sandbox', ...args]

/** A machine with a publication and a metadata key in its sandbox. */
async function furnished() {
  const own = machine()
  const path = join(own.home, 'book.epub')
  writeFileSync(path, await makeExampleEpub({ title: 'A Tale of Two Clocks' }))
  const receipt = JSON.parse((await own.sandbox(['publications', 'upload', path, '--json'])).out)
  const key = JSON.parse((await own.sandbox(['metadata-keys', 'create', 'series', '--json'])).out)
  const has = async (...args: string[]) => (await own.sandbox([...args, '--json'])).code === 0
  return { ...own, publication: receipt.publicationId as string, key: key.id as string, has }
}

describe.skipIf(process.platform === 'win32')('deleting at a terminal', () => {
  it('lists what will go and asks; no means that nothing is deleted', async () => {
    const { home, has } = await furnished()
    const asked = atTerminal(sandbox('domains', 'delete', 'dom_staging'), { home })
    await asked.until(/Delete this domain\?.*\(y\/N\)/)
    expect(asked.shown).toContain('staging.publisher.example')
    asked.type(enter)
    const { code, text } = await asked.ended()
    expect({ code, text }).toEqual({ code: 2, text: expect.stringMatching(/nothing was deleted/) })
    expect(await has('domains', 'get', 'dom_staging')).toBe(true)
  })

  it.runIf(isSlow)('deletes once a person says yes', async () => {
    const { home, has } = await furnished()
    const asked = atTerminal(sandbox('domains', 'delete', 'dom_staging'), { home })
    await asked.until(/\(y\/N\)/)
    asked.type(`y${enter}`)
    expect((await asked.ended()).code).toBe(0)
    expect(await has('domains', 'get', 'dom_staging')).toBe(false)
  })

  it('has the title of a publication typed', async () => {
    const { home, has, publication } = await furnished()
    const wrong = atTerminal(sandbox('publications', 'delete', publication), { home })
    await wrong.until(/type "A Tale of Two Clocks"/)
    wrong.type(`A Tale of One Clock${enter}`)
    const { code, text } = await wrong.ended()
    expect(code).not.toBe(0)
    expect(text).toMatch(/nothing was deleted/)
    expect(await has('publications', 'get', publication)).toBe(true)

    const right = atTerminal(sandbox('publications', 'delete', publication), { home })
    await right.until(/type "A Tale of Two Clocks"/)
    right.type(`A Tale of Two Clocks${enter}`)
    expect((await right.ended()).code).toBe(0)
    expect(await has('publications', 'get', publication)).toBe(false)
  })

  it.runIf(isSlow)('asks nothing with --yes', async () => {
    const { home, has, key } = await furnished()
    const { code, text } = await atTerminal(sandbox('metadata-keys', 'delete', key, '--archive', '--yes'), {
      home,
    }).ended()
    expect(code).toBe(0)
    expect(text).not.toContain('?')
    expect(await has('metadata-keys', 'archive', key)).toBe(false)
  })
})

describe.skipIf(process.platform === 'win32')('Ctrl-C at a question', () => {
  it.each(
    share(
      [
        { question: 'a yes or no', args: ['domains', 'delete', 'dom_staging'], until: /\(y\/N\)/ },
        { question: 'a text', args: ['users', 'delete-me'], until: /delete me/ },
      ],
      2,
    ),
  )('ends with 130 and leaves a sane terminal: $question', async ({ args, until }) => {
    const { home, has } = await furnished()
    // The shell lives on, so that it can tell how the terminal was left.
    const asked = atTerminal(`pubctl ${sandbox(...args).join(' ')}; echo "ended $?"; stty -a; echo over`, {
      home,
    })
    await asked.until(until)
    asked.type(controlC)
    const { text } = await asked.ended()
    expect(text).toMatch(/ended 130\n/)
    expect(text).toMatch(/[^-]\bicanon\b[\s\S]*[^-]\becho\b/)
    expect(text).not.toMatch(/ at .*js:/)
    expect(text.lastIndexOf('\u001b[?25h')).toBeGreaterThanOrEqual(text.lastIndexOf('\u001b[?25l'))
    expect(await has('domains', 'get', 'dom_staging')).toBe(true)
  })

  it.runIf(isSlow)('ends a wait at a terminal with 130 and shows the cursor again', async () => {
    const { home } = await furnished()
    const path = await exampleBook({ title: 'Slow' })
    const waiting = atTerminal(
      `pubctl ${sandbox('publications', 'upload', path).join(' ')}; echo "ended $?"; stty -a`,
      {
        home,
        env: { PUBCTL_SANDBOX_DELAY: '1h' },
      },
    )
    await waiting.until(/upload_pending|uploaded/)
    waiting.type(controlC)
    const { text } = await waiting.ended()
    expect(text).toMatch(/ended 130\n/)
    expect(text).toMatch(/[^-]\bicanon\b[\s\S]*[^-]\becho\b/)
    expect(text.lastIndexOf('\u001b[?25h')).toBeGreaterThan(text.lastIndexOf('\u001b[?25l'))
  })
})

describe('where nobody can be asked', () => {
  const deletion = sandbox('domains', 'delete', 'dom_staging')

  it.skipIf(process.platform === 'win32').each(
    share(
      [
        { where: 'stdin is a pipe', line: `echo y | pubctl ${deletion.join(' ')}`, env: {} },
        { where: 'stdin is closed', line: `pubctl ${deletion.join(' ')} <&-`, env: {} },
        { where: 'stdin is empty', line: `pubctl ${deletion.join(' ')} </dev/null`, env: {} },
        {
          where: 'stdout is a pipe',
          line: `{ pubctl ${deletion.join(' ')}; echo $? > code; } | cat; exit $(cat code)`,
          env: {},
        },
        { where: 'CI is set', line: `pubctl ${deletion.join(' ')}`, env: { CI: '1' } },
        { where: '--no-input is given', line: `pubctl ${deletion.join(' ')} --no-input`, env: {} },
        { where: '--json is given', line: `pubctl ${deletion.join(' ')} --json`, env: {} },
        { where: '-o csv is given', line: `pubctl ${deletion.join(' ')} -o csv`, env: {} },
      ],
      4,
    ),
  )('deletes nothing, exits with 9 and names --yes: $where', async ({ line, env }) => {
    const { home, has } = await furnished()
    const { code, text } = await atTerminal(line, { home, env }).ended()
    expect({ code, text }).toEqual({ code: 9, text: expect.stringMatching(/--yes/) })
    expect(await has('domains', 'get', 'dom_staging')).toBe(true)
  })

  it('does so for every command that deletes, without a terminal at all', async () => {
    const { home, has, publication, key } = await furnished()
    const deletions = [
      ['publications', 'delete', publication],
      ['metadata-keys', 'delete', key],
      ['assets', 'delete', 'ast_font_serif'],
      ['domains', 'delete', 'dom_staging', 'dom_school'],
      ['reader-instances', 'delete', 'ri_samples'],
      ['apikeys', 'delete', 'key_read_only'],
      ['users', 'delete-me'],
      ['sandbox', 'reset'],
    ]
    for (const args of share(deletions, 4)) {
      const { exitCode, stdout, stderr } = await runBin(sandbox(...args, '--json'), { HOME: home })
      expect({ args, exitCode, stdout }).toEqual({ args, exitCode: 9, stdout: '' })
      expect(JSON.parse(stderr).error).toMatchObject({
        code: 'input_needed',
        hint: 'Pass --yes.',
        exitCode: 9,
      })
    }
    expect(await has('publications', 'get', publication)).toBe(true)
  })
})

describe.skipIf(process.platform === 'win32')('profile setup at a terminal', () => {
  it('asks for what is missing, and never shows the key that is typed', async () => {
    const { home } = machine()
    const setup = atTerminal(['profile', 'setup', '--no-verify'], { home })
    await setup.until(/called\?/)
    setup.type(`work${enter}`)
    await setup.until(/address of the service\?/)
    setup.type(`nowhere${enter}`)
    await setup.until(/Write it like https/)
    setup.type('\u0015')
    setup.type(`api.example.com/v1${enter}`)
    await setup.until(/key come from\?/)
    setup.type(enter)
    await setup.until(/The API key/)
    setup.type(canary)
    await setup.until(/•{20,}/)
    setup.type(enter)
    const { code, text } = await setup.ended()
    expect({ code, text: code === 0 ? '' : text }).toEqual({ code: 0, text: '' })
    expect(text).not.toContain(canary)
    expect(text).not.toContain(canary.slice(0, 8))
    const shown = JSON.parse((await runBin(['profile', 'show', 'work', '--json'], { HOME: home })).stdout)
    expect(shown).toMatchObject({ name: 'work', baseUrl: 'https://api.example.com', key: 'cana****6789' })
  })

  it.runIf(isSlow)('asks again for a key that the service does not know, or that is none', async () => {
    const context = { requestId: 'r1' }
    const { url } = await serve((request, response) =>
      request.headers.authorization === `Bearer ${canary}`
        ? json(response, 200, { items: [], context })
        : json(response, 401, {
            error: 'AUTHENTICATION_ERROR',
            message: 'The API key is not known.',
            context,
          }),
    )
    const { home } = machine()
    const setup = atTerminal(['profile', 'setup', 'work'], { home })
    await setup.until(/address of the service\?/)
    setup.type(`${url}/v1${enter}`)
    await setup.until(/key come from\?/)
    setup.type(enter)
    await setup.until(/The API key/)
    setup.type(`${canary}-wrong${enter}`)
    await setup.until(
      /refused the key: The API key is not known\.[\s\S]*Try again, or\s+press\s+Ctrl-C\.[\s\S]*The API key/,
    )
    setup.type(`two words${enter}`)
    await setup.until(/holds a space[\s\S]*The API key/)
    setup.type(`${canary}${enter}`)
    const { code, text } = await setup.ended()
    expect({ code, text: code === 0 ? '' : text }).toEqual({ code: 0, text: '' })
    expect(text).not.toContain('was not saved')
    const shown = JSON.parse((await runBin(['profile', 'show', 'work', '--json'], { HOME: home })).stdout)
    expect(shown).toMatchObject({ baseUrl: url, key: 'cana****6789' })
  })

  it('leaves no profile behind when it is broken off', async () => {
    const { home } = machine()
    const setup = atTerminal(['profile', 'setup', 'work', '--base-url', 'https://api.example.com'], { home })
    await setup.until(/key come from\?/)
    setup.type(enter)
    await setup.until(/The API key/)
    setup.type(`${canary}${controlC}`)
    const { code, text } = await setup.ended()
    expect(code).toBe(130)
    expect(text).not.toContain(canary)
    const config = join(home, '.config/pubctl/config.json')
    expect(existsSync(config) ? readFileSync(config, 'utf8') : '').not.toContain(canary)
  })
})

describe('a book without a title', () => {
  const untitled = async () => fileOf(await makeExampleEpub({ title: '' }), 'untitled.epub')

  it.skipIf(process.platform === 'win32')('is given one by the person at the terminal', async () => {
    const { home, sandbox: run } = machine()
    const upload = atTerminal(sandbox('publications', 'upload', await untitled(), '--no-check'), { home })
    await upload.until(/untitled\.epub has no title/)
    upload.type(`Named at Last${enter}`)
    const { code, text } = await upload.ended()
    expect({ code, text: code === 0 ? '' : text }).toEqual({ code: 0, text: '' })
    expect(foreignControls(text, true)).toEqual([])
    const listed = JSON.parse((await run(['publications', 'list', '--json'])).out)
    expect(listed.map((each: { title: string }) => each.title)).toEqual(['Named at Last'])
  })

  it('is refused where nobody can be asked, and the flag is named', async () => {
    const { sandbox: run } = machine()
    const { code, err } = await run(['publications', 'upload', await untitled(), '--no-check', '--json'])
    expect(JSON.parse(err).error).toMatchObject({ code: 'no_title', hint: expect.stringMatching(/--title/) })
    expect(code).toBe(2)
  })
})

describe.skipIf(process.platform === 'win32')('a question without colour', () => {
  it('has none where NO_COLOR is set', async () => {
    const { home } = machine()
    const asked = atTerminal(sandbox('domains', 'delete', 'dom_staging'), { home, env: { NO_COLOR: '1' } })
    await asked.until(/\(y\/N\)/)
    asked.type(enter)
    expect((await asked.ended()).text).not.toMatch(/\u001b\[\d*m/)
  })
})

describe.skipIf(process.platform === 'win32')('a question about what a service made', () => {
  it('shows no control character of it', async () => {
    const { home, sandbox: run } = machine()
    const hostile = 'x\u001b]0;evil\u0007\u202e\u001b[2J'
    const created = JSON.parse(
      (await run(['metadata-keys', 'create', `k${Date.now()}`, '--label', hostile, '--json'])).out,
    )
    const { out } = await run([
      'api',
      'POST',
      '/v1/domains',
      '--field',
      'domain=a.example.org',
      '--field',
      `description=${hostile}`,
    ])
    const asked = atTerminal(sandbox('domains', 'delete', JSON.parse(out).item.id), { home })
    await asked.until(/\(y\/N\)/)
    asked.type(enter)
    expect(foreignControls((await asked.ended()).text, true)).toEqual([])
    expect(created.label).toBe(hostile)
  })
})
