import { quotedText } from '../book.ts'
import { resolveInBook } from '../href.ts'
import { type Problems, problemsIn } from '../problems.ts'
import { attributeOf, childrenOf, descendantsOf } from '../xml.ts'
import type { Zip } from '../zip.ts'
import { checkRenditions } from './check-renditions.ts'
import { packageMediaType, readXml } from './read-xml.ts'

export const epubMediaType = 'application/epub+zip'
export const containerPath = 'META-INF/container.xml'

/** Adds what is wrong with the entry that says that the zip is an EPUB. */
export async function checkMimetype(zip: Zip, problems: Problems): Promise<void> {
  const place = 'mimetype'
  const add = problemsIn(problems, place)
  const text = (await zip.readStart(place, 64).catch(() => undefined))?.toString('latin1')
  if (text === undefined) return add('warning', 'mimetype_missing', 'The zip has no readable mimetype entry.')
  if (text.trim() !== epubMediaType) {
    return add('warning', 'mimetype_wrong', `The mimetype is not ${epubMediaType}.`)
  }
  if (text !== epubMediaType)
    add('warning', 'mimetype_spaces', 'The mimetype has spaces or a line break around it.')
  if ([...zip.entries.keys()][0] !== place || zip.entries.get(place)?.compressionMethod !== 0) {
    add('warning', 'mimetype_misplaced', 'The mimetype should be the first entry of the zip, uncompressed.')
  } else if (((await zip.extraBytes(place)) ?? 0) > 0) {
    add(
      'warning',
      'mimetype_extra_field',
      'The mimetype entry has an extra field, so its text is not where it is looked for.',
    )
  }
}

/** The entry that a full-path names: as it is written, or as the reference that it should be, percent-encoded. */
function pathIn(zip: Zip, fullPath: string): string {
  const written = zip.nameAt(fullPath)
  if (zip.entries.has(written)) return written
  return zip.nameAt(resolveInBook('', fullPath)?.path ?? fullPath)
}

/** Where the package document is; a lone `.opf` is taken when the container does not say. */
export async function findPackage(
  zip: Zip,
  problems: Problems,
): Promise<{ path: string; packages: number } | undefined> {
  const add = problemsIn(problems, containerPath)
  const container = await readXml(zip, containerPath, 'container', problems)
  for (const { name, position } of childrenOf(container)) {
    if (!['rootfiles', 'links', 'relationships'].includes(name)) {
      add(
        'warning',
        'container_element_unknown',
        `The container has an element ${quotedText(name)}, which is not known.`,
        position,
      )
    }
  }
  const declared = descendantsOf(container, 'rootfile')
  const packages = declared.filter(file => attributeOf(file, 'media-type') === packageMediaType)
  if (container && packages.length > 1) await checkRenditions(zip, container, containerPath, problems)
  const chosen = packages[0] ?? declared[0]
  if (chosen && packages.length === 0) {
    const message = `The container does not declare the package document as ${packageMediaType}.`
    add('warning', 'container_media_type_wrong', message, chosen.position)
  }
  const fullPath = attributeOf(chosen, 'full-path')
  const path = fullPath && pathIn(zip, fullPath)
  if (path !== undefined && zip.entries.has(path)) return { path, packages: packages.length }
  const message =
    path === undefined
      ? 'The container does not say where the package document is.'
      : `The package document ${path} is not in the zip.`
  if (container) add('error', 'package_missing', message, chosen?.position)
  const found = [...zip.entries.keys()].filter(name => name.toLowerCase().endsWith('.opf'))
  return found.length === 1 && found[0] ? { path: found[0], packages: 1 } : undefined
}
