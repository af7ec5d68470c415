// string-width makes regular expressions of Unicode's tables when it is loaded: 15 ms of 72 of each upload, table and progress, of
// which most show Latin letters alone, whose width needs none. It is loaded for the first text with others.
/** @param {string} text */
module.exports = text => require('string-width').default(text)
