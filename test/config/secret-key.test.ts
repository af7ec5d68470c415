import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { secretKey } from '../../src/config/secret-key.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'

describe('the secret key of the configuration folder', () => {
  it('is made once, at random, for its owner alone', () => {
    const [one, other] = [join(temporaryFolder(), 'config'), join(temporaryFolder(), 'config')]
    const key = secretKey(one, 'journal')
    expect(key).toHaveLength(32)
    expect(secretKey(one, 'journal')).toEqual(key)
    expect(secretKey(other, 'journal')).not.toEqual(key)
    const path = join(one, 'secret.key')
    expect(readFileSync(path, 'utf8')).not.toContain(key.toString('hex'))
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('is refused while others may write to it', () => {
    const folder = temporaryFolder()
    secretKey(folder, 'journal')
    chmodSync(join(folder, 'secret.key'), 0o666)
    if (process.platform !== 'win32')
      expect(() => secretKey(folder, 'journal')).toThrow(/other users of this machine can write/)
  })

  it.each(['', 'no key\n', `${'a'.repeat(63)}\n`])('is refused where the file holds %j', text => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'secret.key'), text)
    expect(() => secretKey(folder, 'journal')).toThrow(/does not hold the key/)
  })

  it('is not made where a link leads nowhere', () => {
    const folder = temporaryFolder()
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'secret.key'))
    expect(() => secretKey(folder, 'journal')).toThrow(/secret\.key/)
  })
})
