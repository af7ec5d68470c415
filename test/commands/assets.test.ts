import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { machine } from '../support/pubctl.ts'
import { json, serve } from '../support/server.ts'

const context = {}

/** A machine with fonts, at a service whose store refuses the files of the names in `refused`. */
async function withFonts({ refused = [] as string[], describe = (all: object[]) => all } = {}) {
  let origin = ''
  const { url, received } = await serve((request, response) => {
    if (request.method === 'PUT') {
      const isRefused = refused.some(name => request.url.includes(name))
      return void response.writeHead(isRefused ? 403 : 200).end()
    }
    const wanted: { type: string; filename: string }[] = JSON.parse(String(request.body)).assets
    const result = wanted.map(({ type, filename }, index) => ({
      id: `as_${index}`,
      uploadMode: 'single',
      type,
      filename,
      key: `assets/${filename}`,
      uploadUrl: `${origin}/put/${index}-${filename}?X-Amz-Signature=5ec4e7`,
      expiresIn: 900,
      requiredHeaders: { 'Content-Type': 'font/woff2' },
    }))
    json(response, 201, { result: describe(result), context })
  })
  origin = url
  const own = machine({ PUBCTL_API_KEY: 'canary-key-0123456789', PUBCTL_BASE_URL: url })
  const fonts = ['a', 'b', 'c'].map(name => {
    const path = join(own.home, `${name}.woff2`)
    writeFileSync(path, `wOF2${name}`)
    return path
  })
  const asked = () =>
    received.map(({ method, url, body }) => `${method} ${url.split('?')[0]} ${String(body)}`)
  return { ...own, fonts, asked }
}

const creation = `POST /v1/resources/assets ${JSON.stringify({
  assets: ['a', 'b', 'c'].map(name => ({ type: 'font', filename: `${name}.woff2` })),
})}`

it('several files are created with one request, and each is sent to its own place', async () => {
  const { run, fonts, asked } = await withFonts({ describe: all => all.toReversed() })
  const { code, out, err } = await run(['assets', 'upload', ...fonts, '--json'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(JSON.parse(out)).toEqual(
    fonts.map((file, index) => ({
      ...{ file, type: 'font', bytes: 5, id: `as_${index}`, outcome: 'uploaded', error: null },
    })),
  )
  expect(asked()).toEqual([
    creation,
    'PUT /put/0-a.woff2 wOF2a',
    'PUT /put/1-b.woff2 wOF2b',
    'PUT /put/2-c.woff2 wOF2c',
  ])
})

it('one that fails does not lose the others', async () => {
  const { run, fonts, asked } = await withFonts({ refused: ['b.woff2'] })
  const { code, out, err } = await run(['assets', 'upload', ...fonts, '--json'])
  const results = JSON.parse(out)
  expect(results.map(({ id, outcome }: { id: string; outcome: string }) => [id, outcome])).toEqual([
    ['as_0', 'uploaded'],
    ['as_1', 'failed'],
    ['as_2', 'uploaded'],
  ])
  expect(results[1].error).toMatchObject({
    code: 'http_403',
    message: expect.stringContaining(`the asset as_1 was created, and ${fonts[1]} was not sent`),
    hint: expect.stringContaining('pubctl uploads put'),
  })
  const { error } = JSON.parse(err)
  expect({ code, error }).toMatchObject({
    code: 10,
    error: { code: 'part_failed', details: [{ path: [fonts[1]], code: 'http_403' }] },
  })
  expect(asked().filter(line => line.startsWith('POST'))).toEqual([creation])
})

it('a file that the service gives no place for fails, and none goes to the place of another', async () => {
  const { run, fonts, asked } = await withFonts({ describe: all => all.slice(1) })
  const { code, out } = await run(['assets', 'upload', ...fonts, '--json'])
  expect(code).toBe(10)
  const [first, ...others] = JSON.parse(out)
  expect(first).toMatchObject({ id: null, outcome: 'failed', error: { code: 'bad_session' } })
  expect(others.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['uploaded', 'uploaded'])
  expect(asked().slice(1)).toEqual(['PUT /put/1-b.woff2 wOF2b', 'PUT /put/2-c.woff2 wOF2c'])
})

it('any type is passed on, and one file is a single item', async () => {
  const { run, fonts, asked } = await withFonts()
  const [font = ''] = fonts
  const { out } = await run(['assets', 'upload', font, '--type', 'stylesheet', '--json'])
  expect(JSON.parse(out)).toMatchObject({ id: 'as_0', type: 'stylesheet', outcome: 'uploaded' })
  expect(asked()[0]).toBe(
    `POST /v1/resources/assets {"assets":[{"type":"stylesheet","filename":"${basename(font)}"}]}`,
  )
})

it('a file that cannot be read stops all before anything is asked for', async () => {
  const { run, fonts, asked } = await withFonts()
  const { code } = await run(['assets', 'upload', ...fonts, 'missing.woff2'])
  expect({ code, asked: asked() }).toEqual({ code: 2, asked: [] })
})

it('--dry-run shows the one request and what would be sent', async () => {
  const { run, fonts, asked } = await withFonts()
  const { out } = await run(['assets', 'upload', ...fonts, '--dry-run', '--json'])
  const planned = JSON.parse(out)
  expect(planned.map(({ method }: { method: string }) => method)).toEqual(['POST', 'PUT', 'PUT', 'PUT'])
  expect(planned[0].body.assets).toHaveLength(3)
  expect(asked()).toEqual([])
})
