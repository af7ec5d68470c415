// Whether the file lacks a default value. Node's own module is loaded for that alone.
const { isDeepStrictEqual } = require('node:util')

exports.deepEqual = (/** @type {unknown} */ one, /** @type {unknown} */ other) => {
  if (!isDeepStrictEqual(one, other)) throw new Error('they differ')
}
