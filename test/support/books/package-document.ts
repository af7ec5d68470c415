import type { RawEntry } from './hostile-zip.ts'

/** The parts of an EPUB for tests. */
export interface BookParts {
  /** What stands in the package's metadata, besides an identifier. */
  metadata?: string
  manifest?: string
  spine?: string
  /** The id that the spine names as the NCX. */
  spineToc?: string
  /** What stands after the spine. */
  guide?: string
  version?: string
  /** The package document whole, in place of the fields above. */
  package?: string | Uint8Array
  /** The container whole; `null` for none. */
  container?: string | null
  /** The mimetype; `null` for none. */
  mimetype?: string | null
  /** Further entries, by name, in place of the sound ones where the names are the same, or to be written with lies. */
  entries?: Readonly<Record<string, string | Uint8Array>>
  rawEntries?: readonly RawEntry[]
}

export const honestMetadata =
  '<dc:title>A Title</dc:title><dc:creator>A Name</dc:creator><dc:language>en</dc:language>'

const lastChange = '<meta property="dcterms:modified">2026-01-31T12:00:00Z</meta>'

/** A package document of the given parts. */
export const packageOf = ({
  metadata = honestMetadata,
  manifest = '',
  spine = '<itemref idref="one"/>',
  guide = '',
  version = '3.0',
  spineToc,
}: BookParts): string => `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="${version}" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">
<dc:identifier id="id">urn:uuid:0f7c4b1e-0000-4000-8000-000000000000</dc:identifier>${version.startsWith('3') ? lastChange : ''}
${metadata}
</metadata>
<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="one" href="one.xhtml" media-type="application/xhtml+xml"/>${manifest}</manifest>
<spine${spineToc === undefined ? '' : ` toc="${spineToc}"`}>${spine}</spine>${guide}</package>`
