/** What a release calls the systems that Node.js names otherwise. */
const names = new Map([
  ['win32', 'windows'],
  ['darwin', 'macos'],
])
/** What Debian calls the processors that Node.js is built for. */
const architectures = new Map([
  ['x64', 'amd64'],
  ['arm64', 'arm64'],
])

/** What a release calls this platform. */
export const thisPlatform = `${names.get(process.platform) ?? process.platform}-${process.arch}`

/** What Node.js calls the system and the processor of a platform that a release calls so, such as macos-arm64. */
export function platformOf(/** @type {string} */ platform) {
  const [system = '', cpu = ''] = platform.split('-')
  const [os = system] = [...names].find(([, name]) => name === system) ?? []
  return { os, cpu }
}

/** What Debian calls this processor; undefined where it has no name for it. */
export const architecture = architectures.get(process.arch)
