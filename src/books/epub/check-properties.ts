import { isElsewhere } from '../href.ts'
import { type Problems, problemsIn } from '../problems.ts'
import type { ManifestItem, Package } from './package.ts'
import type { ScannedDocument } from './scan-document.ts'

/** Adds the properties that the manifest of an EPUB 3 should give a document and does not, or the other way round. */
export function checkProperties(
  item: ManifestItem,
  { uses, references, error, hasBase }: ScannedDocument,
  { version, path, items }: Package,
  problems: Problems,
): void {
  if (!version?.startsWith('3') || error) return
  const add = problemsIn(problems, path)
  for (const use of uses) {
    if (use === 'svg-image' || item.properties.includes(use)) continue
    if (item.mediaType === 'image/svg+xml' && use === 'svg') continue
    const message = `${item.path} needs the property ${use}, which the manifest does not give it.`
    add('warning', 'property_missing', message, item.line)
  }
  if (item.mediaType !== 'application/xhtml+xml' || hasBase) return
  const addNeedless = (use: string) =>
    add(
      'warning',
      'property_needless',
      `The manifest gives ${item.path} the property ${use}, which it does not need.`,
      item.line,
    )
  for (const use of ['scripted', 'svg', 'mathml', 'switch'] as const) {
    if (!item.properties.includes(use) || uses.has(use)) continue
    // Some give the property to pages that show a drawing from a file of its own.
    if (use === 'svg' && uses.has('svg-image')) continue
    addNeedless(use)
  }
  if (item.properties.includes('remote-resources') && !canBeRemote(references, uses, items))
    addNeedless('remote-resources')
}

/**
 * Whether a page may show something that lies elsewhere: a script can ask for anything, and some give the property to the
 * pages of a style that needs it.
 */
const canBeRemote = (
  references: ScannedDocument['references'],
  uses: ScannedDocument['uses'],
  items: readonly ManifestItem[],
): boolean =>
  uses.has('scripted') ||
  references.some(({ href, kind }) => kind === 'resource' && isElsewhere(href) && !/^data:/i.test(href)) ||
  items.some(
    ({ mediaType, properties }) => mediaType === 'text/css' && properties.includes('remote-resources'),
  )
