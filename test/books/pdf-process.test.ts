import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hostilePdfs } from '../support/books/hostile-pdfs.ts'
import { makePdf } from '../support/books/make-pdf.ts'
import { environment } from '../support/machine/bin.ts'
import { bin } from '../support/machine/bin-path.ts'
import { canary } from '../support/machine/canary.ts'
import { programBesidePackages } from '../support/machine/program-copy.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'

/** The fourth field of /proc/<id>/stat, its parent, and the third, its state; undefined when there is no such process. */
function statOf(id: number | string): { parent: number; state: string } | undefined {
  try {
    const [state = '', parent] = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return { parent: Number(parent), state }
  } catch {
    return undefined
  }
}

function readProcess(id: number | string, file: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** Starts `pubctl inspect`, and gives it as soon as the process that reads PDFs is there. */
async function inspecting(
  ...documents: Buffer[]
): Promise<{ program: ChildProcess; out: Promise<string>; reader: number }> {
  const folder = temporaryFolder()
  const paths = documents.map((content, index) => {
    const path = join(folder, `${index}.pdf`)
    writeFileSync(path, content)
    return path
  })
  const program = spawn(process.execPath, [bin, 'inspect', ...paths, '-o', 'json'], {
    env: environment({ HOME: folder, PUBCTL_API_KEY: canary }),
  })
  const out = text(program.stdout)
  for (;;) {
    const reader = readdirSync('/proc').find(id => statOf(id)?.parent === program.pid)
    // Until it runs its own program, it is a copy of the process that starts it.
    if (reader !== undefined && /\/pdf-process\.js/.test(readProcess(reader, 'cmdline')))
      return { program, out, reader: Number(reader) }
    await sleep(2)
  }
}

const hostile = (name: string) => (hostilePdfs[name] as () => Buffer)()
const slow = () => hostile('a PDF whose title has no end')

it('reads each PDF as if it were alone, whatever those before it left behind', async () => {
  const { run, home } = machine()
  const titles = ['T', 'Second', 'T', 'Fourth', 'Fifth']
  for (const [at, title] of titles.entries())
    writeFileSync(
      join(home, `${at}.pdf`),
      title === 'T'
        ? hostile('a PDF whose cross references miss its pages')
        : makePdf({ info: `/Title (${title})` }),
    )
  const { code, out } = await run(['inspect', home, '-o', 'json'])
  const books: { title?: string; pageCount?: number }[] = JSON.parse(out)
  expect(books.map(({ title, pageCount }) => [title, pageCount])).toEqual(titles.map(title => [title, 2]))
  expect(code).toBe(0)
})

it('loads no native code of a package that lies beside the program', async () => {
  const home = temporaryFolder()
  const [mark, book] = [join(home, 'loaded'), join(home, 'book.pdf')]
  const { bin: own } = programBesidePackages('@napi-rs', {
    'canvas/index.js': `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`,
  })
  writeFileSync(book, makePdf({ info: '/Title (Alone)' }))
  const { stdout } = await execa(process.execPath, [own, 'inspect', book, '-o', 'json'], {
    env: environment({ HOME: home }),
    extendEnv: false,
  })
  expect(JSON.parse(stdout)).toMatchObject({ title: 'Alone' })
  expect(existsSync(mark)).toBe(false)
})

it('never takes the late error of a PDF for one of the next, however little it gets of the processor', async () => {
  const folder = temporaryFolder()
  const paths = [hostile('a PDF whose cross references miss its pages'), makePdf({})].map((content, at) => {
    const path = join(folder, `${at}.pdf`)
    writeFileSync(path, content)
    return path
  })
  const busy = join(folder, 'busy.mjs')
  // So that the answer and the error after it wait together for the process, which then may see the error first.
  writeFileSync(
    busy,
    `import { isMainThread } from 'node:worker_threads'
    if (isMainThread) setInterval(() => { const end = Date.now() + 40; while (Date.now() < end); }, 1)`,
  )
  const reader = fork(join(dirname(bin), '../dist/pdf-process.js'), {
    execArgv: [`--import=${pathToFileURL(busy)}`],
    env: environment(),
    stdio: 'pipe',
  })
  // It leaves other signals to the program.
  onTestFinished(() => void reader.kill('SIGKILL'))
  const answers = []
  for (const path of paths) {
    reader.send({ path, wantsOutline: false })
    answers.push((await once(reader, 'message'))[0])
    await sleep(150)
  }
  expect(answers).toMatchObject([{ pages: 2 }, { error: 'crash' }])
})

// Linux alone shows the processes of another one in files.
describe.skipIf(process.platform !== 'linux')('the process that reads PDFs', () => {
  it('costs the document that it reads, and no other, when it crashes', async () => {
    const { out, reader } = await inspecting(slow(), makePdf({ info: '/Title (Sound)' }))
    process.kill(reader, 'SIGKILL')
    const [first, second] = JSON.parse(await out)
    expect(first.problems).toMatchObject([
      {
        severity: 'warning',
        code: 'pdf_unexamined',
        message: 'The process that read it crashed, so its metadata is not known.',
      },
    ])
    expect(second).toMatchObject({ title: 'Sound', pageCount: 2 })
  })

  it.runIf(isSlow)('costs a batch of twenty the one document that it hangs on', async () => {
    const { sandbox, home } = machine()
    const folder = join(home, 'books')
    mkdirSync(folder)
    for (let at = 1; at <= 20; at++)
      writeFileSync(
        join(folder, `${at}.pdf`),
        at === 7 ? slow() : makePdf({ info: `/Title (Book ${at}) /Author (A)` }),
      )
    const line = ['publications', 'upload', folder, '--dry-run', '--json']
    const { code, out, err } = await sandbox(line)
    expect(code).toBe(10)
    expect(err).toMatch(/"1 of 20 failed".*7\.pdf/)
    const steps: { file: string; title: string }[] = JSON.parse(out)
    expect(steps.map(({ file, title }) => `Book ${basename(file, '.pdf')}` === title)).toEqual(
      Array.from({ length: 19 }, () => true),
    )
  })

  it.runIf(isSlow)('is the same one for all documents that are sound and that a thread reads', async () => {
    const { out, program, reader } = await inspecting(
      ...Array.from({ length: 40 }, () => makePdf({ pages: 50 })),
    )
    const readers = new Set([`${reader}`])
    while (program.exitCode === null) {
      for (const id of readdirSync('/proc')) {
        if (statOf(id)?.parent === program.pid && readProcess(id, 'cmdline').includes('/pdf-process.js'))
          readers.add(id)
      }
      await sleep(5)
    }
    expect(JSON.parse(await out)).toHaveLength(40)
    // 40 documents are worth one more thread, if there is a core for it.
    expect(readers).toContain(`${reader}`)
    expect(readers.size).toBeLessThanOrEqual(2)
  })

  it('does not get the key', async () => {
    const { out, reader } = await inspecting(slow())
    expect(readProcess(reader, 'cmdline')).not.toBe('')
    expect(readProcess(reader, 'environ')).not.toContain(canary)
    await out
  })

  it('ends when the program is killed', async () => {
    const { program, reader } = await inspecting(slow())
    program.kill('SIGKILL')
    // Once it has ended it may stay in the list until somebody asks for its exit code.
    while (statOf(reader) && statOf(reader)?.state !== 'Z') await sleep(5)
  })
})
