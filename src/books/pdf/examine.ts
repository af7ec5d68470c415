import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { notStarted } from '../../system/errors.ts'
import { whenFree } from '../../system/files.ts'
import { workerPath } from '../../system/worker-path.ts'
import { isLimitError, limitError, type PdfError, type PdfFacts, type PdfQuestion } from './facts.ts'

/**
 * The process that reads PDFs. It stays for the next document, since to load pdf.js takes longer than to read most. There is
 * one only: it reads a document in a few milliseconds, less than a service takes to answer, and it takes about 100 MiB beside
 * the 70 of the program. With a second one they would take more than the 200 MiB that they may.
 */
let running: ChildProcess | undefined
let lastReading: Promise<unknown> = Promise.resolve()

/**
 * Reads a PDF in a process of its own, one document at a time. V8 aborts a process whose memory fills faster than it can end
 * the thread that fills it, and that must not be the process that uploads books.
 */
export function examinePdf(question: PdfQuestion): Promise<PdfFacts | PdfError> {
  const reading = lastReading.then(async () => {
    const isFresh = !running?.connected
    const found = await ask(question)
    // The documents before it may have used up the memory that it lacked. Its time is its own.
    const isItsOwn = isFresh || !isLimitError(found) || found.error === 'time'
    return isItsOwn ? found : await ask(question)
  })
  lastReading = reading.catch(() => undefined)
  return reading
}

async function ask(question: PdfQuestion): Promise<PdfFacts | PdfError> {
  const child = running?.connected ? running : await started()
  running = child
  child.ref()
  child.channel?.ref()
  const found = await new Promise<PdfFacts | PdfError>(resolve => {
    const crash = () => resolve(limitError('crash'))
    child.once('message', resolve).once('exit', crash).once('error', crash)
    child.send(question, error => error && crash())
  })
  child.removeAllListeners()
  if (isLimitError(found)) stop(child)
  // It must not keep the program from ending.
  child.unref()
  child.channel?.unref()
  return found
}

/** A process that runs. Throws UsageFailure `not_started`. */
async function started(): Promise<ChildProcess> {
  try {
    return await whenFree(async () => {
      const child = start()
      if (child.pid === undefined) throw (await once(child, 'error'))[0]
      return child
    })()
  } catch (error) {
    throw notStarted('the process that reads PDFs', error)
  }
}

/** Not by execa, whose processes are promises of their ends: this one is asked again and again, and its end awaited by nobody. */
function start(): ChildProcess {
  return fork(workerPath('pdf-process'), {
    // Neither flags for the program nor its keys are for this process; Windows starts none without its SystemRoot.
    execArgv: [],
    env: process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'] } : {},
    // What pdf.js writes to its console is not for users, and neither is how V8 aborts.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

function stop(child: ChildProcess): void {
  child.on('error', () => undefined)
  child.kill('SIGKILL')
  running = undefined
}
