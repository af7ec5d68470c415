import type { EntryFacts } from '../../content-facts.ts'
import { isFont } from '../../epub/media-types.ts'
import { colourSpaces } from '../../image.ts'
import { matches } from '../expression.ts'
import { bytesInWords, flag, inBytes, missed, pattern, range, sizes, someOf, texts } from '../parameters.ts'
import { predicate, type RuleFault } from '../predicate.ts'

const kinds = {
  any: () => true,
  page: ({ mediaType = '' }) => mediaType === 'application/xhtml+xml',
  style: ({ mediaType = '' }) => mediaType === 'text/css',
  script: ({ mediaType = '' }) => /(?:java|ecma)script$/.test(mediaType),
  image: ({ mediaType = '' }) => mediaType.startsWith('image/'),
  font: ({ mediaType = '' }) => isFont(mediaType),
  sound: ({ mediaType = '' }) => mediaType.startsWith('audio/'),
  film: ({ mediaType = '' }) => mediaType.startsWith('video/'),
} as const satisfies Record<string, (file: EntryFacts) => boolean>

type Kind = keyof typeof kinds

export const files = predicate({
  says: 'The files in an EPUB.',
  needs: 'content',
  parameters: {
    of: someOf('the kinds that are meant; all without it', Object.keys(kinds) as Kind[], 'kinds'),
    count: range('how many there are'),
    bytes: sizes('the size of each'),
    sum: sizes('the size of all'),
    types: texts('the types that they may have'),
    name: pattern('what the path of each has to match'),
    not: pattern('what no path may match'),
    listed: flag('whether the manifest has to list them'),
  },
  hint: 'Change or leave out the file.',
  faults({ book: { content } }, asked) {
    if (content === undefined) return undefined
    const { of = ['any'] } = asked
    const chosen = content.files.filter(file => of.some(kind => kinds[kind](file)))
    return [...faultsOfEach(chosen, asked), ...faultsOfAll(chosen, asked, of.join(' or '))]
  },
})

export const images = predicate({
  says: 'The images in an EPUB: JPEG, PNG, GIF and WebP, whose sizes and colours are known.',
  needs: 'content',
  parameters: {
    width: range('in pixels'),
    height: range('in pixels'),
    longSide: range('the longer side in pixels'),
    pixels: range('width × height'),
    bytes: sizes('the size of each'),
    types: texts('the types that they may have'),
    colours: someOf('the colour spaces that they may have', colourSpaces, 'colour spaces'),
  },
  hint: 'Save the image anew as the rule says.',
  faults({ book: { content } }, { width, height, longSide, pixels, colours, ...asked }) {
    if (content === undefined) return undefined
    const chosen = content.files.filter(kinds.image)
    const found = faultsOfEach(chosen, asked)
    for (const file of chosen) {
      const { path: place, colourSpace } = file
      if (colours && colourSpace && !colours.includes(colourSpace))
        found.push({ message: `This image is in ${colourSpace}, not in ${colours.join(' or ')}.`, place })
      if (file.width === undefined || file.height === undefined) continue
      for (const [what, wanted, value] of [
        ['width', width, file.width],
        ['height', height, file.height],
        ['longer side', longSide, Math.max(file.width, file.height)],
        ['number of pixels', pixels, file.width * file.height],
      ] as const) {
        const should = wanted && missed(wanted, value)
        if (!should) continue
        const message = `This image is ${file.width} × ${file.height} pixels; its ${what} is ${value.toLocaleString('en')}, not ${should}.`
        found.push({ message, place })
      }
    }
    return found
  },
})

export const fonts = predicate({
  says: 'The fonts in an EPUB.',
  needs: 'content',
  parameters: {
    count: range('how many there are'),
    bytes: sizes('the size of each'),
    types: texts('the types that they may have'),
    obfuscated: flag('whether they have to be obfuscated, or must not be'),
  },
  hint: 'Change or leave out the font.',
  faults({ book: { content } }, { obfuscated, ...asked }) {
    if (content === undefined) return undefined
    const chosen = content.files.filter(kinds.font)
    const wrong = chosen.filter(({ isObfuscated }) => obfuscated !== undefined && isObfuscated !== obfuscated)
    return [
      ...faultsOfEach(chosen, asked),
      ...faultsOfAll(chosen, asked, 'font'),
      ...wrong.map(({ path }) => ({
        message: obfuscated ? 'This font is not obfuscated.' : 'This font is obfuscated.',
        place: path,
      })),
    ]
  },
})

interface Asked {
  readonly count?: { readonly min?: number | undefined; readonly max?: number | undefined } | undefined
  readonly bytes?: Parameters<typeof inBytes>[0] | undefined
  readonly sum?: Parameters<typeof inBytes>[0] | undefined
  readonly types?: readonly (string | number)[] | undefined
  readonly name?: string | undefined
  readonly not?: string | undefined
  readonly listed?: boolean | undefined
}

function faultsOfEach(
  chosen: readonly EntryFacts[],
  { bytes, types, name, not, listed }: Asked,
): RuleFault[] {
  return chosen.flatMap(({ path: place, bytes: size, mediaType }): RuleFault[] => {
    const found: RuleFault[] = []
    const should = bytes && missed(inBytes(bytes), size, bytesInWords)
    if (should) found.push({ message: `This file has ${bytesInWords(size)}, not ${should}.`, place })
    if (types && mediaType !== undefined && !types.includes(mediaType))
      found.push({ message: `This file is ${mediaType}, not ${types.join(' or ')}.`, place })
    if (name && !matches(name, place)) found.push({ message: `Its path does not match ${name}.`, place })
    if (not && matches(not, place)) found.push({ message: `Its path matches ${not}.`, place })
    if (listed && mediaType === undefined && !isOfContainer(place))
      found.push({ message: 'The manifest does not list this file.', place })
    return found
  })
}

const isOfContainer = (path: string): boolean =>
  path === 'mimetype' || path.startsWith('META-INF/') || path.endsWith('.opf')

function faultsOfAll(chosen: readonly EntryFacts[], { count, sum }: Asked, what: string): RuleFault[] {
  const found: RuleFault[] = []
  const name = what === 'any' ? 'files' : `files of the kind ${what}`
  const number = count && missed(count, chosen.length)
  if (number) found.push({ message: `There are ${chosen.length} ${name}, not ${number}.` })
  const all = chosen.reduce((total, { bytes }) => total + bytes, 0)
  const size = sum && missed(inBytes(sum), all, bytesInWords)
  if (size) found.push({ message: `The ${name} have ${bytesInWords(all)} together, not ${size}.` })
  return found
}
