import { spawnSync } from 'node:child_process'
import { networkInterfaces } from 'node:os'

/** Tests reach their servers by the loopback interface, which is down in a new network namespace (`unshare --net npm test`). */
export default function loopback(): void {
  const isUp = () => Object.values(networkInterfaces()).some(all => all?.some(({ internal }) => internal))
  if (!isUp() && process.platform === 'linux') spawnSync('ip', ['link', 'set', 'lo', 'up'])
  if (!isUp()) throw new Error('the tests need the loopback interface, and none is up')
}
