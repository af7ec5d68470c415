// The executables that Linux builds for other systems: their signatures, and what they hold.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import * as mac from '../../.ci/packages/mac-signature.js'
import { nodeOf } from '../../.ci/packages/node-of.js'
import { withoutSignature } from '../../.ci/packages/windows-signature.js'
import { artefact } from '../support/machine/artefacts.ts'
import { readMacSignature } from '../support/machine/mac-signature.ts'
import { noPackages } from '../support/machine/npm.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'

describe.runIf(isSlow && process.platform === 'linux' && process.arch === 'x64')('an executable', () => {
  let folders: readonly string[] | null = null
  beforeAll(async () => {
    folders = await artefact('executables')
  }, 600_000)

  const built = (platform: string, skip: (why: string) => never): string =>
    folders?.find(folder => folder.endsWith(platform)) ?? skip(noPackages)
  const original = (platform: string): Buffer => readFileSync(nodeOf(platform, temporaryFolder()).path)

  describe.each(['arm64', 'x64'])('for macOS on %s', cpu => {
    it('is signed ad hoc, page by page', ({ skip }) => {
      const program = readFileSync(join(built(`macos-${cpu}`, skip), 'pubctl'))
      const { pages, ...signature } = readMacSignature(program)
      expect(signature).toEqual({ identifier: 'pubctl', isAdHoc: true, wrongPages: [], problems: [] })
      expect(pages.length).toBeGreaterThan(20_000)

      // Whatever is changed is found where it is.
      program[5 * 4096] = (program[5 * 4096] ?? 0) ^ 1
      expect(readMacSignature(program).wrongPages).toEqual([5])
    })

    it('has the hashes that Apple’s own tool gives the same program', ({ skip }) => {
      built(`macos-${cpu}`, skip)
      const node = original(`darwin-${cpu}`)
      const apples = readMacSignature(node)
      expect(apples).toMatchObject({ isAdHoc: false, wrongPages: [], problems: [] })
      const unsigned = mac.withoutSignature(node)
      const own = mac.signed(unsigned, 'node')
      const { pages, ...signature } = readMacSignature(own)
      expect(signature).toEqual({ identifier: 'node', isAdHoc: true, wrongPages: [], problems: [] })
      // The first page says how large the signature is, which is another size without Apple's certificates.
      expect(pages.slice(1)).toEqual(apples.pages.slice(1))
      expect(mac.withoutSignature(own).equals(unsigned)).toBe(true)
    })
  })

  it('for Windows is a Node.js without the signature that would not fit', ({ skip }) => {
    const program = readFileSync(join(built('windows-x64', skip), 'pubctl.exe'))
    expect(withoutSignature(program)).toBe(program)
    const node = original('win32-x64')
    const unsigned = withoutSignature(node)
    expect(unsigned.length).toBeLessThan(node.length)
    expect(withoutSignature(unsigned)).toBe(unsigned)
  })

  it.for([
    ['windows-x64', 'pubctl.exe', '4d5a', 'win32-x64-msvc'],
    ['macos-arm64', 'pubctl', 'cffaedfe0c000001', 'darwin-arm64'],
    ['macos-x64', 'pubctl', 'cffaedfe07000001', 'darwin-x64'],
  ])(
    'for %s holds the native packages of its own system',
    ([platform = '', name = '', magic = '', native = ''], { skip }) => {
      const program = readFileSync(join(built(platform, skip), name))
      expect(program.toString('hex', 0, magic.length / 2)).toBe(magic)
      expect(program.includes(`node_modules/@libsql/${native}/index.node`)).toBe(true)
      expect(program.includes(`node_modules/@napi-rs/keyring-${native}/`)).toBe(true)
      expect(program.includes('node_modules/@libsql/linux')).toBe(false)
    },
  )

  it('says which Node.js is in it', ({ skip }) => {
    const folder = built('macos-arm64', skip)
    expect(JSON.parse(readFileSync(join(folder, 'build.json'), 'utf8')).node).toMatchObject({
      version: expect.stringMatching(/^v\d+\.\d+\.\d+$/),
      platform: 'darwin',
      arch: 'arm64',
    })
    expect(statSync(join(folder, 'pubctl')).mode & 0o111).toBe(0o111)
  })
})
