import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { ProfileStore } from '../config/profiles.ts'
import { dayOf } from '../system/calendar.ts'
import { counted } from '../system/counted.ts'
import { Failure } from '../system/errors.ts'
import { anyFile } from '../system/may-read.ts'
import { readTextFile } from '../system/open-file.ts'
import { shellWord } from '../system/shell-word.ts'
import type { World } from '../system/world.ts'
import { type Finding, fail, pass, skip, warn } from './finding.ts'

/** The versions of Node.js and pubctl. A Node.js that is too old ends before this. */
export const checkNode = (version: string, platform: string): Finding =>
  pass('node', `Node.js ${process.versions.node} on ${platform}, pubctl ${version}`)

/** Whether the configuration can be read, and not by other users. */
export async function checkConfiguration(folder: string, profiles: ProfileStore): Promise<Finding> {
  if (!existsSync(folder)) return skip('configuration', `there is none yet; it would be in ${folder}`)
  try {
    const count = (await profiles.list()).length
    const [loose] = profiles.unsafeModes()
    if (loose === undefined) return pass('configuration', `${folder}, with ${counted(count, 'profile')}`)
    const [mode, wanted] = [loose.mode, loose.wanted].map(each => each.toString(8).padStart(4, '0'))
    return warn(
      'configuration',
      `other users of this machine can access ${loose.path} (mode ${mode})`,
      `Run: chmod ${wanted} ${shellWord(loose.path)}`,
    )
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return fail('configuration', error)
  }
}

/** The largest file of certificates that is read, in bytes. */
const mostAuthorities = 64 * 2 ** 20

/** Which certificate authorities are trusted. Node only warns about a broken NODE_EXTRA_CA_CERTS and ignores it. */
export async function checkAuthorities(env: World['env'], now: number): Promise<Finding> {
  const check = 'authorities'
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    return warn(
      check,
      'NODE_TLS_REJECT_UNAUTHORIZED is 0, so anybody on the network can read the key and the books',
      'Unset it, and name the file of your certificate authority in NODE_EXTRA_CA_CERTS.',
    )
  }
  const path = env['NODE_EXTRA_CA_CERTS']
  if (!path) return pass(check, 'those of Node.js')
  const trouble = (words: string) =>
    warn(check, `NODE_EXTRA_CA_CERTS names ${path}, which ${words}`, 'Name a file of PEM certificates.')
  let text: string
  try {
    text = await readTextFile(path, anyFile, mostAuthorities)
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
    return trouble(code === undefined ? 'is no file of certificates' : `cannot be read (${code})`)
  }
  const blocks = pemBlocks(text)
  if (blocks.length === 0) return trouble('holds no PEM certificate')
  const certificates = blocks.map(parseCertificate)
  const broken = certificates.indexOf(undefined)
  if (broken !== -1) return trouble(`holds a broken certificate (number ${broken + 1} of ${blocks.length})`)
  // Expired certificates are normal in a bundle of all authorities, and harmless.
  const last = Math.max(...certificates.map(certificate => Date.parse(certificate?.validTo ?? '')))
  if (last < now) return trouble(`holds only certificates that have expired, the last on ${dayOf(last)}`)
  return pass(check, `those of Node.js, and ${blocks.length} more from ${path}`)
}

function pemBlocks(text: string): string[] {
  return text.split(/(?=-----BEGIN )/).flatMap(part => {
    const kind = /^-----BEGIN ((?:TRUSTED |X509 )?CERTIFICATE)-----/.exec(part)?.[1]
    const last = `-----END ${kind}-----`
    const end = part.indexOf(last)
    return kind === undefined || end < 0 ? [] : [part.slice(0, end + last.length)]
  })
}

function parseCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}
