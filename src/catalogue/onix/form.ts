import type { Product } from '../../plan/product.ts'
import { BrokenRecord } from './broken.ts'
import { type OnixElement, valueIn, valuesIn } from './element.ts'

/** Product forms of list 150: what is delivered electronically, and audio that is. */
const digital = new Set(['EA', 'EB', 'EC', 'ED'])
const audio = new Set(['AJ', 'AN', 'AO'])

/** Audio of any kind, which is digital if it has the detail of list 175 that it is an audiobook of the W3C. */
const anyAudio = { form: 'AA', audiobook: 'A113' } as const

/** Product form details of list 175. */
const details = { epub: ['E101', 'E150'], pdf: ['E107', 'E108'], reflowable: 'E200', fixed: 'E201' } as const

type Form = Pick<Product, 'type' | 'isReflowable' | 'ignored'>
const unknown: Form = { type: null, isReflowable: null, ignored: null }

/** What the record says of the file. Throws BrokenRecord if it has to say the product's form and does not. */
export function formOf(detail: OnixElement | undefined, isWhole: boolean): Form {
  const form = valueIn(detail, 'ProductForm')
  if (form === '') {
    if (isWhole) throw new BrokenRecord('it has no product form')
    return unknown
  }
  const codes = valuesIn(detail, 'ProductFormDetail')
  const isAudiobook = form === anyAudio.form && codes.includes(anyAudio.audiobook)
  if (audio.has(form) || isAudiobook) return { ...unknown, type: 'Audio' }
  if (!digital.has(form)) return { ...unknown, ignored: `its form ${form} is not that of a digital book` }
  const has = (any: readonly string[]): boolean => any.some(code => codes.includes(code))
  const [isEpub, isPdf] = [has(details.epub), has(details.pdf)]
  const [flows, isFixed] = [codes.includes(details.reflowable), codes.includes(details.fixed)]
  const layout = flows === isFixed ? null : flows
  if (isEpub || isPdf) return { ...unknown, type: typeOf(isEpub, isPdf), isReflowable: layout }
  const other = codes.filter(code => /^E1\d\d$/.test(code))
  if (other.length === 0) return { ...unknown, isReflowable: layout }
  return { ...unknown, ignored: `its format ${other.join(', ')} is neither EPUB nor PDF` }
}

const typeOf = (isEpub: boolean, isPdf: boolean): Product['type'] => {
  if (isEpub === isPdf) return null
  return isEpub ? 'EPUB' : 'PDF'
}
