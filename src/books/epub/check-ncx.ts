import { quotedText } from '../book.ts'
import { type Problems, problemsIn } from '../problems.ts'
import {
  attributeOf,
  childOf,
  childrenOf,
  descendantsOf,
  everyElement,
  textOf,
  type XmlElement,
} from '../xml.ts'
import type { Package } from './package.ts'

/** Adds what is wrong with an NCX besides where it leads. */
export function checkNcx(path: string, root: XmlElement, from: Package, problems: Problems): void {
  const add = problemsIn(problems, path)
  const ids = new Set<string>()
  for (const element of everyElement(root)) {
    const id = attributeOf(element, 'id')
    if (id === undefined) continue
    if (ids.has(id))
      add('warning', 'ncx_id_wrong', `The id ${quotedText(id)} occurs twice.`, element.position)
    else if (!/^[\p{L}_][\p{L}\p{N}\p{M}._·-]*$/u.test(id)) {
      add(
        'warning',
        'ncx_id_wrong',
        `${quotedText(id)} is no id: it has to begin with a letter.`,
        element.position,
      )
    }
    ids.add(id)
  }
  for (const target of descendantsOf(root, 'pageTarget')) {
    const type = attributeOf(target, 'type')
    if (type === undefined || ['front', 'normal', 'special'].includes(type)) continue
    add(
      'warning',
      'ncx_page_type_wrong',
      `A page has the type ${quotedText(type)}, which is not known.`,
      target.position,
    )
  }
  const unique = attributeOf(from.element, 'unique-identifier')
  const identifier = from.metadata.find(
    element => element.name === 'identifier' && attributeOf(element, 'id') === unique,
  )
  const uid = childrenOf(childOf(root, 'head'), 'meta').find(meta => attributeOf(meta, 'name') === 'dtb:uid')
  const content = attributeOf(uid, 'content')
  if (identifier && content !== undefined && content !== textOf(identifier)) {
    const message = `The NCX is of the book ${quotedText(content)}, the package of ${quotedText(textOf(identifier))}.`
    add('warning', 'ncx_identifier_wrong', message, uid?.position)
  }
}
