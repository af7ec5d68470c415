import { htmlNamespace } from './html-elements.ts'

/** More than a page declares. All of them are looked through for each tag. */
const limit = 32

const reserved = ['http://www.w3.org/2000/xmlns/', 'http://www.w3.org/XML/1998/namespace']

/** The namespaces that the open elements of a page declare. */
export class NamespaceScope {
  readonly #declared: { prefix: string; uri: string; depth: number }[] = []

  /**
   * Declares a namespace for an element, by how many others are open; the prefix is empty for those without one. False if it is
   * one that XML reserves or does not allow, or one too many.
   */
  declare(prefix: string, uri: string, depth: number): boolean {
    const isReserved = prefix === 'xml' || prefix === 'xmlns' || reserved.includes(uri)
    if (isReserved || (uri === '' && prefix !== '') || this.#declared.length === limit) return false
    // The same text each time, so that it is compared by its place.
    this.#declared.push({ prefix, uri: uri === htmlNamespace ? htmlNamespace : uri, depth })
    return true
  }

  /** The namespace of a prefix; undefined if none is declared. */
  uriOf(prefix: string): string | undefined {
    const declared = this.#declared
    for (let index = declared.length - 1; index >= 0; index -= 1) {
      const found = declared[index]
      if (found?.prefix === prefix) return found.uri
    }
    return undefined
  }

  /** Forgets what an element declared that is closed, when so many are left open. */
  close(depth: number): void {
    const declared = this.#declared
    while ((declared.at(-1)?.depth ?? -1) >= depth) declared.pop()
  }
}
