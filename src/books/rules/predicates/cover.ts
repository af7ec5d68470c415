import { colourSpaces } from '../../image.ts'
import {
  bytesInWords,
  flag,
  inBytes,
  missed,
  type Range,
  range,
  sizes,
  someOf,
  texts,
} from '../parameters.ts'
import { predicate, type RuleFault } from '../predicate.ts'

export const cover = predicate({
  says: 'The image of the cover in the book; a book without one is against it.',
  needs: 'metadata',
  parameters: {
    required: flag('whether there has to be one; true without it'),
    shortSide: range('its shorter side in pixels'),
    longSide: range('its longer side in pixels'),
    width: range('in pixels'),
    height: range('in pixels'),
    pixels: range('width × height'),
    ratio: range('height ÷ width'),
    bytes: sizes('the size of its file'),
    types: texts('the types that it may have, such as image/jpeg'),
    colours: someOf('the colour spaces that it may have', colourSpaces, 'colour spaces'),
  },
  hint: 'Export the cover anew as the rule says.',
  faults({ book }, { required = true, bytes, types, colours, ...asked }) {
    const { cover: image } = book
    if (book.type === 'PDF') return undefined
    if (image === undefined) return required ? [{ message: 'The book has no image of its cover.' }] : []
    const { width, height, colourSpace, path: place } = image
    const found: RuleFault[] = []
    if (types && !types.includes(image.mediaType))
      found.push({ message: `The cover is ${image.mediaType}, not ${types.join(' or ')}.`, place })
    const wanted = bytes && missed(inBytes(bytes), image.bytes, bytesInWords)
    if (wanted) found.push({ message: `The cover has ${bytesInWords(image.bytes)}, not ${wanted}.`, place })
    if (colours && colourSpace && !colours.includes(colourSpace))
      found.push({ message: `The cover is in ${colourSpace}, not in ${colours.join(' or ')}.`, place })
    // Where nothing else is wrong, nobody knows whether it is as the rule says.
    const unknown = found.length > 0 ? found : undefined
    if (colours && !colourSpace) return unknown
    const isMeasured = Object.values(asked).some(each => each !== undefined)
    if (!isMeasured) return found
    if (width === undefined || height === undefined) return unknown
    const measured: readonly (readonly [string, Range | undefined, number])[] = [
      ['shorter side', asked.shortSide, Math.min(width, height)],
      ['longer side', asked.longSide, Math.max(width, height)],
      ['width', asked.width, width],
      ['height', asked.height, height],
      ['number of pixels', asked.pixels, width * height],
      ['ratio of height to width', asked.ratio, Math.round((height / width) * 100) / 100],
    ]
    for (const [what, wanted, value] of measured) {
      const should = wanted && missed(wanted, value)
      if (!should) continue
      const message = `The cover is ${width} × ${height} pixels; its ${what} is ${value.toLocaleString('en')}, not ${should}.`
      found.push({ message, place })
    }
    return found
  },
})
