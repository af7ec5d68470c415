// What undici takes for granted. Node's own module, which opens standard error as well, is loaded for a failure alone: a request
// takes 1 ms less.
module.exports = (/** @type {unknown} */ isTrue, /** @type {string} */ message) => {
  if (isTrue) return
  const { AssertionError } = require('node:assert')
  throw new AssertionError({ message, actual: isTrue, expected: true, operator: '==' })
}
