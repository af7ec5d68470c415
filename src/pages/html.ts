import { escapeMarkup } from './escape-markup.ts'

/** A piece of HTML. Only `html` makes one, so that no text gets into a page unescaped. */
export class Html {
  readonly #markup: string
  private constructor(markup: string) {
    this.#markup = markup
  }
  static of(parts: readonly string[], values: readonly PageValue[]): Html {
    return new Html(
      parts.map((part, index) => part + (index < values.length ? markup(values[index]) : '')).join(''),
    )
  }
  toString(): string {
    return this.#markup
  }
  get isEmpty(): boolean {
    return this.#markup === ''
  }
}

/** What a page may show. Texts are escaped; nothing is shown for `undefined` and `false`. */
export type PageValue = string | number | Html | undefined | false | readonly PageValue[]

/** A tagged template for HTML: html`<td>${title}</td>`. */
export const html = (parts: TemplateStringsArray, ...values: PageValue[]): Html => Html.of(parts, values)

const markup = (value: PageValue): string => {
  if (value === undefined || value === false) return ''
  if (typeof value === 'object') return value instanceof Html ? value.toString() : value.map(markup).join('')
  return escapeMarkup(String(value))
}
