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

/** What a release calls this system. */
export const system = names.get(process.platform) ?? process.platform
/** What Debian calls this processor; undefined where it has no name for it. */
export const architecture = architectures.get(process.arch)
