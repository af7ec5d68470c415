import { type AccessibilityMetadata, emptyAccessibilityMetadata, modesIn } from '../accessibility-facts.ts'
import { arrayOf, objectOf, textsIn } from './manifest.ts'

/** The accessibility metadata of a publication manifest (https://www.w3.org/TR/pub-manifest/#accessibility). */
export function readAccessibilityMetadata(json: unknown): AccessibilityMetadata {
  const manifest = objectOf(json)
  return {
    ...emptyAccessibilityMetadata(),
    accessMode: textsIn(manifest['accessMode']),
    accessModeSufficient: arrayOf(manifest['accessModeSufficient']).flatMap(set => {
      const modes = textsIn(
        typeof set === 'string' || Array.isArray(set) ? set : objectOf(set)['itemListElement'],
      ).flatMap(modesIn)
      return modes.length === 0 ? [] : [modes]
    }),
    accessibilityFeature: textsIn(manifest['accessibilityFeature']),
    accessibilityHazard: textsIn(manifest['accessibilityHazard']),
    accessibilitySummary: textsIn(manifest['accessibilitySummary']),
  }
}
