import type { ProductStep } from '../../../src/plan/step.ts'
import '../machine/plain-snapshots.ts'

/** A step as text: what is done with which publication and edition, why, and what a person can do. */
export function stepText(name: string, step: ProductStep): string {
  const { action, why, publicationId, editionId, ...more } = step
  const hint = 'hint' in more ? [`    ${more.hint}`] : []
  const ids = [publicationId, editionId].map(id => id ?? '-').join(' ')
  return [`${name}: ${action} ${ids}`, `  ${why}`, ...hint].join('\n')
}
