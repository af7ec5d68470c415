import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './pubctl.ts'

const runs = (program: string): boolean => spawnSync(program, ['--version']).error === undefined

/** Whether a secret service can be started here that is not the person's own. */
export const hasSecretService =
  process.platform === 'linux' &&
  ['gnome-keyring-daemon', 'dbus-daemon', 'dbus-send'].every(program => runs(program))

/** Whether it can be started with a dialog that never ends. */
export const hasSilentDialog = hasSecretService && runs('dbus-test-tool')

/** A bus that takes every connection and never answers; `open` counts those that are still there. */
export async function silentBus() {
  const path = join(temporaryFolder(), 'bus')
  const bus = {
    env: on(`unix:path=${path}`),
    connections: 0,
    open: 0,
    connected: Promise.resolve() as Promise<unknown>,
  }
  const server = createServer(socket => {
    bus.connections++
    bus.open++
    socket.on('error', () => undefined).on('close', () => bus.open--)
    socket.resume()
  })
  onTestFinished(() => void server.close())
  bus.connected = once(server, 'connection')
  await once(server.listen(path), 'listening')
  return bus
}

/** A bus of its own with the secret service of GNOME, unlocked; `lock` has it ask a person who is not there. */
export async function secretService() {
  const home = temporaryFolder()
  const base = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_RUNTIME_DIR: home }
  const bus = start('dbus-daemon', ['--session', '--nofork', '--nopidfile', '--print-address'], base)
  const [address] = (await once(createInterface({ input: bus.stdout }), 'line')) as [string]
  const env = { ...base, DBUS_SESSION_BUS_ADDRESS: address }
  const open = async (...args: string[]) => {
    const daemon = start('gnome-keyring-daemon', ['--foreground', '--components=secrets', ...args], env)
    daemon.stdin.end('a password')
    while (!has(env, 'org.freedesktop.secrets')) {
      if (daemon.exitCode !== null) throw new Error(`the secret service ended with ${daemon.exitCode}`)
      await sleep(20)
    }
    return daemon
  }
  let daemon = await open('--unlock')
  return {
    env: on(address),
    async lock() {
      const ended = once(daemon, 'exit')
      daemon.kill('SIGTERM')
      await ended
      daemon = await open()
    },
    /** Has it ask a person who is there and does nothing. */
    async askSilently() {
      const dialog = 'org.gnome.keyring.SystemPrompter'
      start('dbus-test-tool', ['black-hole', `--name=${dialog}`], env)
      while (!has(env, dialog)) await sleep(20)
    },
    /** What pubctl keeps there, as a program sees it that is not pubctl. */
    entries(): { account: string; password: string }[] {
      const script = `console.log(JSON.stringify(require('@napi-rs/keyring').findCredentials('pubctl')))`
      const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { env, encoding: 'utf8' })
      if (stderr) throw new Error(stderr)
      return JSON.parse(stdout)
    },
  }
}

const on = (address: string) => ({ PUBCTL_KEYCHAIN: 'on', DBUS_SESSION_BUS_ADDRESS: address })

function start(program: string, args: string[], env: Record<string, string>) {
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Whether somebody has a name on a bus. */
function has(env: Record<string, string>, name: string): boolean {
  const call = ['--print-reply', '--dest=org.freedesktop.DBus', '/', 'org.freedesktop.DBus.NameHasOwner']
  const { stdout } = spawnSync('dbus-send', [...call, `string:${name}`], { env, encoding: 'utf8' })
  return /boolean true/.test(stdout)
}
