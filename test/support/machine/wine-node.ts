/**
 * What a Node.js for Windows requires first under Wine, to do what it does on Windows. Node sets the option to keep a connection alive
 * on a socket that is not connected yet, which Wine refuses. The processes that are started require it as well, whatever their
 * environment is.
 */
export const wineNode = `const { Socket } = require('node:net')
const { ChildProcess } = require('node:child_process')

const { setKeepAlive } = Socket.prototype
Socket.prototype.setKeepAlive = function (...args) {
  if (!this.connecting) return setKeepAlive.apply(this, args)
  this.once('connect', () => setKeepAlive.apply(this, args))
  return this
}

const own = '--require=' + __filename.replaceAll('\\\\', '/')
const isOptions = pair => /^NODE_OPTIONS=/i.test(pair)
const passedOn = options => {
  const pairs = options.envPairs ?? []
  const given = (pairs.find(isOptions) ?? '').slice('NODE_OPTIONS='.length)
  const wanted = given.includes(own) ? given : own + ' ' + given
  return { ...options, envPairs: [...pairs.filter(pair => !isOptions(pair)), 'NODE_OPTIONS=' + wanted] }
}
const { spawn } = ChildProcess.prototype
ChildProcess.prototype.spawn = function (options) {
  return spawn.call(this, passedOn(options))
}
process.noDeprecation = true
const together = process.binding('spawn_sync')
process.noDeprecation = false
const { spawn: spawnSync } = together
together.spawn = options => spawnSync(passedOn(options))
`
