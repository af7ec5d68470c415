import { expect, it } from 'vitest'
import { uuid5 } from '../../src/plan/uuid5.ts'

const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'

it.each([
  // RFC 9562, appendix A.4.
  [dns, 'www.example.com', '2ed6657d-e927-568b-95e1-2665a8aea6a2'],
  [dns.toUpperCase(), 'www.example.com', '2ed6657d-e927-568b-95e1-2665a8aea6a2'],
  // Beyond ASCII, the name is hashed as UTF-8.
  [dns, 'é', 'ebfe0af8-3997-5ade-b634-ba92cf69f557'],
])('uuid5 of %s and %s', (namespace, name, uuid) => {
  expect(uuid5(namespace, name)).toBe(uuid)
})
