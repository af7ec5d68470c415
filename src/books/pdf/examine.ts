import { type ChildProcess, fork } from 'node:child_process'
import { workerPath } from '../../system/worker-path.ts'
import { isLimitError, limitError, type PdfError, type PdfFacts } from './facts.ts'

/** The process that reads PDFs. It stays for the next document, since to load pdf.js takes longer than to read most. */
let running: ChildProcess | undefined
let lastReading: Promise<unknown> = Promise.resolve()

/**
 * Reads the PDF at a path in a process of its own, one document at a time. V8 aborts a process whose memory fills faster
 * than it can end the thread that fills it, and that must not be the process that uploads books.
 */
export function examinePdf(path: string): Promise<PdfFacts | PdfError> {
  const reading = lastReading.then(async () => {
    const isFresh = !running?.connected
    const found = await ask(path)
    // The documents before it may have used up what it lacked.
    return isFresh || !isLimitError(found) ? found : await ask(path)
  })
  lastReading = reading.catch(() => undefined)
  return reading
}

async function ask(path: string): Promise<PdfFacts | PdfError> {
  const child = running?.connected ? running : start()
  running = child
  child.ref()
  child.channel?.ref()
  const found = await new Promise<PdfFacts | PdfError>(resolve => {
    const crash = () => resolve(limitError('crash'))
    child.once('message', resolve).once('exit', crash).once('error', crash)
    child.send(path, error => error && crash())
  })
  child.removeAllListeners()
  if (isLimitError(found)) stop(child)
  // It must not keep the program from ending.
  child.unref()
  child.channel?.unref()
  return found
}

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
