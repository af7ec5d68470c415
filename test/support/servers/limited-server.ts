import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { bundleScript } from '../machine/child-script.ts'

const server = `
  import { createServer } from 'node:http'
  import { createPresignedTarget } from '../../src/sandbox/s3/presigned.ts'
  import { systemClock } from '../../src/system/world.ts'
  const server = createServer({ requestTimeout: 0 })
  const origin = () => 'http://127.0.0.1:' + server.address().port
  const options = { secret: Buffer.alloc(32), origin, clock: systemClock, tempDir: process.argv[2], store: async () => {} }
  const target = createPresignedTarget(options)
  server.on('request', target.handle).on('checkContinue', target.handle).listen(0, '127.0.0.1', () =>
    console.log(JSON.stringify(target.presign({ objectKey: 'k', contentType: 'a/b', expiresIn: 900 }))))
`

/** A presigned target in a process of its own that cannot write more than a mebibyte to any file. */
export async function limitedServer() {
  const folder = await mkdtemp(join(tmpdir(), 'pubctl-limited-'))
  const [script, tempDir] = [join(folder, 'server.mjs'), join(folder, 'incoming')]
  await bundleScript(server, script)
  const run = 'ulimit -f 2048; exec "$0" "$@"'
  const child = spawn('sh', ['-c', run, process.execPath, script, tempDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  return {
    tempDir,
    grant: JSON.parse(line) as { uploadUrl: string; requiredHeaders: Record<string, string> },
    async close() {
      const gone = once(child, 'exit')
      child.kill()
      await gone
      await rm(folder, { recursive: true, force: true })
    },
  }
}
