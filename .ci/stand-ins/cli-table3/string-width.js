// How wide a text is, links aside: cli-table3 asks an old string-width, which counts the vowel signs of Hebrew, Arabic and Hindi,
// and newer emoji, differently from terminals.
const { stripVTControlCharacters } = require('node:util')
const { widthOf } = require('../../../src/cli/output/width.ts')

/** cli-table3 asks twice in a row for each text. */
let [last, width] = ['', 0]

/** @param {string} text */
module.exports = text => {
  if (text !== last) {
    last = text
    width = widthOf(text.includes('\u001b') ? stripVTControlCharacters(text) : text)
  }
  return width
}
