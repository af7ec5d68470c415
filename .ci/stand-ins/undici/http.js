// The longest head of an answer is all that undici asks of Node's own client and server, without which a request takes 1 ms less.
// They are loaded where an option of Node changes it.
const { env, execArgv } = require('node:process')

exports.maxHeaderSize = /max.http.header.size/.test([env['NODE_OPTIONS'], ...execArgv].join(' '))
  ? require('node:http').maxHeaderSize
  : 16 * 1024
