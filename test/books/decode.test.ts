import { expect, it } from 'vitest'
import { decodeText } from '../../src/books/decode.ts'

it.each(['windows-1252', 'ISO-8859-1'])(
  'a document in %s has the dashes, quotes and euro signs of Windows',
  encoding => {
    const start = `<?xml version="1.0" encoding="${encoding}"?>`
    const bytes = Buffer.from(`${start}<a>\x93Caf\xe9\x94 \x96 5 \x80</a>`, 'latin1')
    expect(decodeText(bytes)).toEqual({
      text: `${start}<a>“Café” – 5 €</a>`,
      encoding: 'windows-1252',
    })
  },
)

it('a document that is not UTF-8 is read as Windows-1252, with a problem', () => {
  expect(decodeText(Buffer.from('<a>\x96\x81</a>', 'latin1'))).toEqual({
    text: '<a>–\ufffd</a>',
    encoding: 'utf-8',
    encodingError: 'it has bytes that are not UTF-8',
  })
})
