import { appendTo, noContent, type XmlDocument, type XmlElement, xmlLimits } from '../xml.ts'
import type { MarkupEvents, StartTag } from './start-tag.ts'
import { leave, readUsualMarkup } from './usual-markup.ts'

/**
 * Reads a document into the same tree as `parseXml` does with its namespaces, in two thirds of the time, where it is as nearly
 * all documents of books are. Undefined where it is left to the parser: it is wrong or rare, or has more elements than are read.
 */
export function readUsualTree(bytes: Uint8Array, elements: number): XmlDocument | undefined {
  const tree = new Tree(elements)
  return readUsualMarkup(bytes, tree) ? tree.document : undefined
}

class Tree implements MarkupEvents {
  /** The only encoding that is usual. */
  readonly document: XmlDocument = { encoding: 'utf-8' }
  readonly #open: XmlElement[] = []
  readonly #left: { elements: number; attributes: number }

  constructor(elements: number) {
    this.#left = { elements, attributes: xmlLimits.attributes }
  }

  declared(encoding: string): void {
    this.document.declaredEncoding = encoding
  }

  doctype(text: string): void {
    this.document.doctype = text
  }

  opened(tag: StartTag): void {
    const { attributeCount } = tag
    this.#left.elements -= 1
    this.#left.attributes -= attributeCount
    if (this.#left.elements < 0 || this.#left.attributes < 0 || this.#open.length >= xmlLimits.depth) leave()
    const attributes = new Array<string>(2 * attributeCount)
    for (let index = 0; index < attributeCount; index += 1) {
      attributes[2 * index] = tag.attributeName(index).name
      attributes[2 * index + 1] = tag.attributeValue(index)
    }
    const element: XmlElement = { name: tag.local, attributes, content: noContent, position: tag.at }
    appendTo(this.#open.at(-1), element)
    this.document.root ??= element
    this.#open.push(element)
  }

  closed(): void {
    this.#open.pop()
  }

  text(text: string): void {
    appendTo(this.#open.at(-1), text)
  }
}
