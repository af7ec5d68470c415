import type { Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { openHttp } from '../../src/service/client/http.ts'
import { startProxy } from '../support/proxies/proxy.ts'
import { serve } from '../support/servers/server.ts'

/** What sends a GET, and gives the answer's text and the connections that it used. */
function sending(env: Record<string, string>) {
  const http = openHttp(env)
  onTestFinished(() => http.close())
  return async (url: string, signal = new AbortController().signal) => {
    const sockets: Socket[] = []
    const { text } = await http.send({
      ...{ method: 'GET', url, isPresigned: false, headers: {}, timeout: 30_000, signal },
      onSocket: socket => void sockets.push(socket),
    })
    return { text: await text(), ports: sockets.map(({ localPort }) => localPort) }
  }
}

it('each request learns its own connection, also among others under way', async () => {
  const waiting: (() => void)[] = []
  const ports: Record<string, number | undefined> = {}
  const { url } = await serve(({ url: path }, response) => {
    ports[path] = response.socket?.remotePort
    waiting.push(() => void response.end(path))
    // Answered once all are there, so that each has a connection of its own.
    if (waiting.length === 3) for (const answer of waiting) answer()
  })
  const send = sending({})
  const paths = ['/a?x=1', '/b', '/a?x=2']
  const answers = await Promise.all(paths.map(path => send(url + path)))
  expect(answers).toEqual(paths.map(path => ({ text: path, ports: [ports[path]] })))
  expect(new Set(Object.values(ports)).size).toBe(3)
})

it('a request through a proxy learns its connection as well', async () => {
  const { url } = await serve((_, response) => response.end('here'))
  const proxy = await startProxy({ leadsTo: Number(new URL(url).port) })
  const { text, ports } = await sending({ HTTP_PROXY: proxy.url })('http://store.example/put?x=1')
  expect({ text, count: ports.length }).toEqual({ text: 'here', count: 1 })
})

it('a request that is stopped while its proxy is silent ends with the reason for that', async () => {
  const stop = new AbortController()
  const reason = new Error('stopped by a person')
  const { url } = await serve(() => stop.abort(reason))
  await expect(sending({ HTTP_PROXY: url })('http://store.example/', stop.signal)).rejects.toBe(reason)
})
