import type { Problem } from '../book.ts'
import type { EpubCheckMessage, FindingPlace } from './report.ts'

/**
 * What EPUBCheck says of the faults that pubctl finds, too: its ids, with the words of those that stand for many faults, as
 * `RSC-005` does for all that its schemas do not allow. A fault that is not here is shown twice, which is better than one that is
 * taken for another.
 */
const sayings: readonly (readonly [codes: string, says: RegExp])[] = [
  ['mimetype_missing mimetype_misplaced', /^PKG-006/],
  ['mimetype_spaces mimetype_wrong mimetype_misplaced', /^PKG-007/],
  ['mimetype_extra_field', /^PKG-005/],
  ['entry_doubled entry_names_alike', /^OPF-060/],
  ['entry_name_forbidden', /^PKG-009/],
  ['entry_name_space', /^PKG-010/],
  ['entry_name_not_utf8', /^PKG-027/],
  ['folder_empty', /^PKG-014/],
  ['zip_damaged entry_damaged', /^PKG-00[348]/],
  ['extension_wrong', /^PKG-0(?:16|17|24)/],
  ['container_missing', /^RSC-002/],
  ['container_media_type_wrong package_missing', /^(?:RSC-003|OPF-002|OPF-016|OPF-017)/],
  ['package_doubled', /^PKG-013/],
  [
    'package_malformed container_malformed navigation_malformed ncx_malformed encryption_malformed chapter_malformed',
    /^RSC-016/,
  ],
  ['package_encoding package_encoding_rare encoding_wrong', /^(?:RSC-027|RSC-028|CSS-00[34])/],
  ['version_missing', /^OPF-001/],
  [
    'identifier_missing unique_identifier_missing',
    /^(?:OPF-048|RSC-005.*(?:dc:identifier|unique-identifier))/,
  ],
  ['unique_identifier_unknown', /^OPF-030/],
  ['title_missing', /^RSC-005.*dc:title/],
  ['language_missing', /^RSC-005.*dc:language/],
  ['language_invalid', /^OPF-092/],
  ['language_conflict', /^RSC-005.*lang and xml:lang/],
  ['modified_missing', /^RSC-005.*dcterms:modified/],
  ['date_wrong', /^OPF-05[34]/],
  ['role_unknown', /^OPF-052/],
  ['meta_doubled', /^RSC-005.*cannot be declared more than once/],
  ['meta_value_wrong', /^RSC-005.*(?:must be either|must be one of|illegal syntax|of the form)/],
  ['refines_wrong', /^RSC-005.*refines/],
  ['prefix_undeclared', /^OPF-028/],
  ['property_unknown', /^OPF-02[67]/],
  ['property_name_wrong', /^(?:OPF-025|RSC-005.*NMTOKEN)/],
  ['property_deprecated', /^OPF-086/],
  ['property_missing', /^OPF-014/],
  ['property_needless', /^OPF-015/],
  ['property_unfit', /^OPF-012/],
  ['property_conflict', /^RSC-005.*mutually exclusive/],
  ['link_media_type_missing', /^OPF-093/],
  ['link_target_missing', /^RSC-007w/],
  ['cover_doubled', /^RSC-005.*cover-image/],
  ['navigation_missing navigation_doubled', /^RSC-005.*"nav"/],
  ['navigation_target_missing guide_target_missing reference_missing', /^(?:RSC-007(?!w)|RSC-012|OPF-031)/],
  ['navigation_target_outside_spine reference_outside_spine', /^RSC-011/],
  ['navigation_target_remote', /^NAV-010/],
  ['navigation_target_unfit', /^RSC-010/],
  ['navigation_unordered', /^NAV-011/],
  ['guide_target_unfit', /^OPF-032/],
  ['guide_empty', /^RSC-005.*"guide" incomplete/],
  ['ncx_identifier_wrong', /^NCX-001/],
  ['ncx_unnamed', /^RSC-005.*toc/],
  ['id_doubled manifest_id_doubled package_id_doubled ncx_id_wrong', /^RSC-005.*(?:Duplicate|unique value)/],
  ['media_type_missing', /^RSC-005.*missing required attribute "media-type"/],
  ['media_type_html', /^OPF-03[58]/],
  ['fallback_unknown', /^OPF-04[01]/],
  ['fallback_circular', /^OPF-045/],
  ['resource_missing', /^RSC-001/],
  ['resource_listed_twice', /^OPF-074/],
  ['resource_in_meta_inf', /^PKG-025/],
  ['resource_is_package', /^OPF-099/],
  ['resource_outside resource_absolute', /^RSC-026/],
  ['resource_partial', /^OPF-091/],
  ['resource_foreign', /^(?:RSC-032|MED-003|MED_007)/],
  ['resource_remote reference_remote', /^(?:RSC-006|RSC-029|RSC-030)/],
  ['reference_undeclared', /^RSC-008/],
  ['reference_unfit', /^RSC-01[345]/],
  ['image_unreadable cover_unreadable resource_empty', /^(?:MED-004|PKG-021)/],
  ['image_type_wrong cover_type_wrong', /^OPF-029/],
  ['spine_empty', /^RSC-005.*"(?:spine|itemref)"/],
  ['spine_item_unknown', /^OPF-049/],
  ['spine_item_repeated', /^RSC-005.*same manifest entry/],
  ['spine_item_foreign', /^OPF-04[23]/],
  ['spine_not_linear', /^OPF-033/],
  ['page_map', /^OPF-063/],
  ['doctype_wrong', /^(?:OPF-073|HTM-004|HTM-009)/],
  ['element_nested', /^RSC-005.*must not appear inside/],
  ['element_unknown container_element_unknown', /^RSC-005.*element "[^"]+" not allowed/],
  ['viewport_wrong', /^HTM[-_]0(?:4[678]|5[679])/],
  ['overlay_duration_missing', /^RSC-005.*media:duration/],
  ['style_direction', /^CSS-001/],
  ['style_malformed', /^CSS-008/],
]

const saysOf = new Map<string, RegExp[]>()
for (const [codes, says] of sayings)
  for (const code of codes.split(' ')) saysOf.set(code, [...(saysOf.get(code) ?? []), says])

/** EPUBCheck counts to the end of a tag, which can be some lines below its beginning. */
const fewLines = 3

/**
 * How many lines lie between a problem and what EPUBCheck found at a place, if it is the same fault; undefined if it is another
 * one. A place without a line is as near as can be.
 */
export function distanceOf(
  { code, place = '', message }: Problem,
  finding: Pick<EpubCheckMessage, 'id' | 'message'>,
  at: FindingPlace,
): number | undefined {
  const said = `${finding.id} ${finding.message}`
  if (!saysOf.get(code)?.some(says => says.test(said))) return undefined
  const [, path = '', line = ''] = /^(.*?)(?::(\d+))?$/s.exec(place) ?? []
  // A file that is missing has no place of its own: pubctl names where it is listed, and EPUBCheck the file.
  const isSamePath = at.path === '' || path === '' || at.path === path || message.includes(at.path)
  if (!isSamePath) return undefined
  if (at.path !== path || at.line === 0 || line === '') return 0
  const distance = Math.abs(at.line - Number(line))
  return distance <= fewLines ? distance : undefined
}
