import { createHash } from 'node:crypto'

/** The serial number of a document of CycloneDX, which is of its content: a UUID of version 8, which is made of a hash. */
export function serialNumberOf(/** @type {object} */ content) {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  const [, a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(hash) ?? []
  return `urn:uuid:${[a, b, `8${c}`, `8${d}`, e].join('-')}`
}
