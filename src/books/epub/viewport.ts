import { quotedText } from '../book.ts'

/** What is wrong with the size that a page of a fixed layout gives itself; undefined for a sound one. */
export function viewportFault(content: string): string | undefined {
  const values = new Map<string, string[]>()
  for (const part of content.slice(0, limit).split(/[,;]/)) {
    const at = part.indexOf('=')
    const name = (at < 0 ? part : part.slice(0, at)).trim().toLowerCase()
    if (name === '') continue
    values.set(name, [...(values.get(name) ?? []), at < 0 ? '' : part.slice(at + 1).trim()])
  }
  for (const side of ['width', 'height']) {
    const found = values.get(side) ?? []
    const [value = ''] = found
    if (found.length === 0) return `The viewport has no ${side}.`
    if (found.length > 1) return `The viewport has its ${side} twice.`
    if (!/^\d{1,9}(?:\.\d{1,9})?$/.test(value) && value !== `device-${side}`) {
      return `The ${side} of the viewport is ${quotedText(value)}, and has to be a number of pixels.`
    }
  }
  return undefined
}

/** Longer than the settings of any page. */
const limit = 1000
