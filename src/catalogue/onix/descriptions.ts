import { elementsIn, type OnixElement, valueIn, valuesIn } from './element.ts'
import { textIn } from './plain-text.ts'

/** Text types of list 153, the best first: description, short description. */
const wanted = ['03', '02']

/** Audiences of list 154 that readers belong to: unrestricted, end customers. A text for the trade is never taken. */
const readers = ['00', '03']

/** The description for readers as plain text; empty if there is none. */
export function descriptionOf(collateral: OnixElement | undefined, language: string): string {
  const contents = elementsIn(collateral, 'TextContent').filter(content => {
    const audiences = valuesIn(content, 'ContentAudience')
    return audiences.length === 0 || audiences.some(each => readers.includes(each))
  })
  for (const type of wanted) {
    for (const content of contents) {
      const text = valueIn(content, 'TextType') === type ? textIn(language, content) : ''
      if (text !== '') return text
    }
  }
  return ''
}
