import { SaxesParser } from 'saxes'
import { XmlFault } from './bad-message.ts'
import { type OnixElement, valueIn } from './element.ts'
import { entitiesOf } from './entities.ts'
import { type Counted, isCounted, type OnixName, onixNames } from './names.ts'

/** A product record of a message. */
export interface OnixRecord {
  readonly product: OnixElement
  /** Where it begins, from 1. */
  readonly line: number
  /** Its place among the records of the message, from 1. */
  readonly number: number
  readonly counts: Readonly<Record<Counted, number>>
  /** The language of books whose record names none, from the header. */
  readonly defaultLanguage: string
  /** When the message was sent, in milliseconds since 1970; null if it does not say. */
  readonly sentAt: number | null
}

/** Far above what records have, and low enough to stop a message that is made to fill the memory. */
const limits = { characters: 4 * 1024 * 1024, depth: 256, elements: 50_000, attributes: 100 }

const cutOff = {
  hint: 'Fetch or export it again: it was cut off on the way, or has a & that is not written &amp;.',
}

/**
 * Reads XML in pieces and gives the records that are complete. Everything within the elements in `kept` is read, by its own
 * tags where it is none of those that are read otherwise. Throws XmlFault, which ends the reading.
 */
export function recordParser(kept: readonly OnixName[] = []) {
  const parser = new SaxesParser({ position: true, xmlns: false })
  let complete: OnixRecord[] = []
  let hasRoot = false
  let documentType = ''
  let defaultLanguage = ''
  let sentAt: number | null = null
  /** The elements that are read and open, from the header or product inwards. */
  const open: OnixElement[] = []
  let [depth, skipped, number, line, elements, attributes] = [0, 0, 0, 0, 0, 0]
  let counts: Record<Counted, number> = { Price: 0, SalesRights: 0 }
  let isText = false
  /** How many elements are open from a kept one inwards. */
  let keptDepth = 0
  let saysNone = false
  let measuredFrom = 0

  parser.ENTITIES = entitiesOf(() => documentType)
  parser.on('error', error => {
    throw new XmlFault(wordsOf(error.message))
  })
  parser.on('doctype', text => {
    documentType = text
  })
  parser.on('attribute', () => {
    attributes += 1
    if (attributes > limits.attributes) throw new XmlFault('an element has more attributes than any in ONIX')
  })
  parser.on('opentag', ({ name: tag, attributes: given }) => {
    attributes = 0
    depth += 1
    if (depth > limits.depth) throw new XmlFault('its elements are nested deeper than in any message')
    if (!hasRoot) {
      mustBeOnix(tag, given, documentType)
      hasRoot = true
      return
    }
    const local = tag.slice(tag.indexOf(':') + 1)
    const name = onixNames.get(local)
    if (depth === 2) begin(name)
    if (open.length > 0 || (depth === 2 && (name === 'Product' || name === 'Header'))) {
      if (name !== undefined && isCounted(name)) counts[name] += 1
      const isKept = keptDepth > 0 || (name !== undefined && kept.includes(name))
      if (skipped > 0 || !(isText || isKept || (name !== undefined && !isCounted(name)))) {
        skipped += 1
        return
      }
      elements += 1
      if (elements > limits.elements) throw new XmlFault('a record has more elements than any book')
      const element = {
        name: isText ? local.toLowerCase() : (name ?? local),
        attributes: given,
        content: [],
      }
      open.at(-1)?.content.push(element)
      open.push(element)
      if (isKept) keptDepth += 1
      isText ||= name === 'Text'
    }
  })
  const begin = (name: OnixName | undefined): void => {
    measuredFrom = parser.position
    saysNone ||= name === 'NoProduct'
    if (name !== 'Product') return
    number += 1
    line = parser.line
    elements = 0
    counts = { Price: 0, SalesRights: 0 }
  }
  parser.on('closetag', () => {
    depth -= 1
    if (skipped > 0) skipped -= 1
    else if (open.length > 0) {
      const element = open.pop() as OnixElement
      if (keptDepth > 0) keptDepth -= 1
      if (element.name === 'Text') isText = false
      if (open.length === 0) finish(element)
    }
  })
  const finish = (element: OnixElement): void => {
    measuredFrom = parser.position
    if (element.name === 'Product')
      complete.push({ product: element, line, number, counts, defaultLanguage, sentAt })
    else {
      defaultLanguage = valueIn(element, 'DefaultLanguageOfText')
      sentAt = timeOf(valueIn(element, 'SentDateTime'))
    }
  }
  const text = (content: string): void => {
    if (skipped === 0) open.at(-1)?.content.push(content)
  }
  parser.on('text', text)
  parser.on('cdata', text)

  const taken = (): OnixRecord[] => {
    const records = complete
    complete = []
    return records
  }
  return {
    get line() {
      return parser.line
    },
    write(piece: string): OnixRecord[] {
      parser.write(piece)
      if (parser.position - measuredFrom > limits.characters)
        throw new XmlFault('a record is larger than 4 MiB, or something between two records is')
      return taken()
    },
    end(): OnixRecord[] {
      if (!hasRoot || depth > 0) throw new XmlFault('it ends before it is complete', cutOff)
      parser.close()
      if (number === 0 && !saysNone) throw new XmlFault('it has no products, and does not say so')
      return taken()
    },
  }
}

/** The time of a text such as `20260807`, `20260807T1200Z` or `20260807T120000+0200`; null for another. Without a zone, it is UTC. */
function timeOf(text: string): number | null {
  const parts =
    /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d)(?::?(\d\d)(?:\.\d+)?)?)?(?:Z|([+-]\d\d):?(\d\d))?$/.exec(text)
  if (parts === null) return null
  const [, year, month, day, hours = '00', minutes = '00', seconds = '00', zone, zoneMinutes] = parts
  const offset = zone === undefined ? 'Z' : `${zone}:${zoneMinutes}`
  const time = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}${offset}`)
  return Number.isNaN(time) ? null : time
}

/** An error of the parser without its position and full stop. */
const wordsOf = (message: string): string =>
  `it is not well-formed XML (${message.replace(/^[\d:]+ /, '').replace(/\.$/, '')})`

const newer = {
  hint: 'pubctl reads ONIX 3.0 and 3.1. Most systems that write ONIX 2.1 can export 3.0 as well.',
}

/**
 * Throws XmlFault if a message is not ONIX 3.0 or 3.1, by its first element. `documentType` is the message's document type
 * declaration.
 */
function mustBeOnix(tag: string, attributes: Readonly<Record<string, string>>, documentType: string): void {
  const [prefix, name] = tag.includes(':') ? (tag.split(':', 2) as [string, string]) : ['', tag]
  if (name !== 'ONIXMessage' && name !== 'ONIXmessage')
    throw new XmlFault(`it is not an ONIX message: its first element is <${tag.slice(0, 50)}>`, newer)
  const namespace = attributes[prefix === '' ? 'xmlns' : `xmlns:${prefix}`] ?? ''
  const release = attributes['release']?.trim()
  const named = /^https?:\/\/(?:ns|www)\.editeur\.org\/onix\/(\d+\.\d+)\//.exec(namespace)?.[1]
  const found = release ?? named
  if (found !== undefined && /^[12](\.|$)/.test(found)) throw new XmlFault(`it is ONIX ${found}`, newer)
  if (found === undefined && /onix(?:-international|\/2|_2)|DTD\/?2\./i.test(documentType))
    throw new XmlFault('it is ONIX 2.1, by its document type', newer)
  if (found === undefined) throw new XmlFault('its first element names no release, as in ONIX 2.1', newer)
  if (!/^3\.[01](\.\d+)?$/.test(found))
    throw new XmlFault(`its release "${found.slice(0, 50)}" is not 3.0 or 3.1`, newer)
  if (namespace !== '' && named === undefined)
    throw new XmlFault(`its namespace "${namespace.slice(0, 100)}" is not that of ONIX`, newer)
}
