import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeExampleEpub } from '../../src/sandbox/seed/example-epub/index.ts'
import { runBin } from '../support/machine/bin.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { hasOpenssl, makeAuthority } from '../support/proxies/authority.ts'
import { startProxy } from '../support/proxies/proxy.ts'
import { hasNginx, startNginx } from '../support/servers/nginx.ts'
import { json, serve } from '../support/servers/server.ts'

const context = { path: '', method: '', requestId: 'r', authentication: { sub: 's', scopeId: 'x' } }
const password = 'p@ss:word'
const login = `Basic ${Buffer.from(`user:${password}`).toString('base64')}`

/** A service whose upload sessions lead to a store elsewhere, which `storeAt` says once it is known. */
async function serviceBefore(storeAt: () => string) {
  const { server } = await serve(({ method }, response) =>
    method === 'POST'
      ? json(response, 201, {
          item: { id: 'p1', editions: [{ id: 'e1', uploadStatus: 'upload_pending' }] },
          result: {
            uploadUrl: `${storeAt()}/deep/in/book.epub?X-Amz-Signature=5ec4e7`,
            expiresIn: 900,
            requiredHeaders: { 'Content-Type': 'application/epub+zip' },
          },
          context,
        })
      : json(response, 200, { item: { id: 'e1', uploadStatus: 'available' }, context }),
  )
  return (server.address() as { port: number }).port
}

async function book(folder: string): Promise<{ path: string; bytes: Buffer }> {
  const bytes = await makeExampleEpub({ cover: false, paddingBytes: 20_000_000 })
  const path = join(folder, 'big book.epub')
  writeFileSync(path, bytes)
  return { path, bytes }
}

type Way = { isSecure?: boolean; hasProxy?: boolean; largest?: string }

/** Uploads a book of 20 MB to a store in nginx, behind which the service is as well. */
async function upload({ isSecure = false, hasProxy = false, largest }: Way) {
  const folder = temporaryFolder()
  let origin = ''
  const servicePort = await serviceBefore(() => `${origin}/store`)
  const authority = isSecure ? makeAuthority(folder) : undefined
  const nginx = await startNginx(folder, {
    servicePort,
    ...(largest === undefined ? {} : { largest }),
    ...(authority ? { certificate: authority.issue(hasProxy ? 'books.example' : '127.0.0.1') } : {}),
  })
  // No proxy stands before an address of this machine, so that it is asked for a name that it alone can look up.
  const { port } = new URL(nginx.origin)
  origin = hasProxy ? `${isSecure ? 'https' : 'http'}://books.example:${port}` : nginx.origin
  const proxy = hasProxy ? await startProxy({ authorization: login, leadsTo: Number(port) }) : undefined
  const proxyUrl = proxy?.url.replace('//', `//user:${encodeURIComponent(password)}@`)
  const { path, bytes } = await book(folder)
  const key = 'canary-key-0123456789'
  const { exitCode, stdout, stderr } = await runBin(['publications', 'upload', path, '--json'], {
    PUBCTL_API_KEY: key,
    // Only a service on this machine may have a file sent over plain http.
    PUBCTL_BASE_URL: isSecure ? origin : nginx.origin,
    ...(authority ? { NODE_EXTRA_CA_CERTS: authority.file } : {}),
    ...(proxyUrl ? { HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl } : {}),
  })
  return {
    ...{ exitCode, stdout, stderr, origin },
    asked: proxy?.asked ?? [],
    isStored: () => readFileSync(join(nginx.store, 'deep/in/book.epub')).equals(bytes),
  }
}

describe.skipIf(!hasNginx)('an upload to nginx as the store (needs nginx with WebDAV)', () => {
  it('arrives whole', async () => {
    const { exitCode, stdout, stderr, isStored } = await upload({})
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'uploaded', uploadStatus: 'available' })
    expect(isStored()).toBe(true)
  })

  it('says so when nginx refuses a file for its size, before it has taken it', async () => {
    const { exitCode, stderr } = await upload({ largest: '1m' })
    expect(exitCode).toBe(6)
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'http_413', status: 413 })
    expect(stderr).not.toMatch(/5ec4e7/)
  })

  it.skipIf(!hasOpenssl)('arrives whole by TLS with a certificate of a private authority', async () => {
    const { exitCode, stderr, origin, isStored } = await upload({ isSecure: true })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(origin).toMatch(/^https:/)
    expect(isStored()).toBe(true)
  })

  it('arrives whole through a forward proxy that wants a name and a password', async () => {
    const { exitCode, stderr, origin, asked, isStored } = await upload({ hasProxy: true })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(isStored()).toBe(true)
    expect(asked.map(({ line }) => line.split('?')[0])).toEqual([`PUT ${origin}/store/deep/in/book.epub`])
  })

  it.skipIf(!hasOpenssl)('arrives whole by TLS through such a proxy', async () => {
    const { exitCode, stderr, origin, asked, isStored } = await upload({ isSecure: true, hasProxy: true })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(isStored()).toBe(true)
    expect(new Set(asked.map(({ line }) => line))).toEqual(new Set([`CONNECT ${new URL(origin).host}`]))
    expect(asked.every(({ authorization }) => authorization === login)).toBe(true)
  })
})
