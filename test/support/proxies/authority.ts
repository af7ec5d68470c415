import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type ServerOptions } from 'node:https'
import { join } from 'node:path'
import { type Answer, listening, type Received, remembering } from '../servers/server.ts'

/** Whether certificates can be made here. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0

interface Certificate {
  key: string
  cert: string
}

/** A private certificate authority in a folder, with openssl. `file` is what NODE_EXTRA_CA_CERTS names. */
export function makeAuthority(folder: string): {
  file: string
  issue(host: string, options?: { days?: number; isSelfSigned?: boolean }): Certificate
} {
  const path = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout']
  openssl('req', '-x509', ...newKey, 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Test authority')
  return {
    file: path('ca.pem'),
    issue(host, { days = 2, isSelfSigned = false } = {}) {
      writeFileSync(path('names'), `subjectAltName=${/^[\d.]+$/.test(host) ? 'IP' : 'DNS'}:${host}`)
      openssl('req', ...newKey, 'leaf.key', '-out', 'leaf.csr', '-subj', `/CN=${host}`)
      const signer = isSelfSigned
        ? ['-signkey', 'leaf.key']
        : ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial']
      openssl(
        'x509',
        '-req',
        '-in',
        'leaf.csr',
        ...signer,
        '-out',
        'leaf.pem',
        '-days',
        String(days),
        '-extfile',
        'names',
      )
      return { key: readFileSync(path('leaf.key'), 'utf8'), cert: readFileSync(path('leaf.pem'), 'utf8') }
    },
  }
}

/** The same server as `serve` starts, behind TLS. Gives its port on loopback. */
export async function serveSecurely(
  options: ServerOptions,
  answer: Answer,
  prepare: (server: Server) => void = () => undefined,
): Promise<{ port: number; received: Received[] }> {
  const received: Received[] = []
  const server = createServer(options, remembering(answer, received))
  server.on('tlsClientError', () => undefined)
  prepare(server)
  return { port: await listening(server), received }
}
