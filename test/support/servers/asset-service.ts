import { type Fault, faultyServer } from '../proxies/faulty-server.ts'
import { context } from './book-service.ts'
import type { Received } from './server.ts'

/** A service that makes one asset and takes its file, with faults. */
export async function assetService(faults: Fault | readonly Fault[]) {
  const stored: string[] = []
  const before = ({ method, body }: Received) => {
    if (method === 'PUT') return { status: 200, body: `${stored.push(String(body))}` }
    const uploadUrl = `${service.url}/put?X-Amz-Signature=hidden`
    const descriptor = { id: 'as_1', uploadMode: 'single', uploadUrl, expiresIn: 900 }
    const requiredHeaders = { 'Content-Type': 'font/woff2' }
    return { status: 201, body: { result: [{ ...descriptor, requiredHeaders }], context } }
  }
  const service = await faultyServer(faults, { before })
  return { ...service, stored }
}
