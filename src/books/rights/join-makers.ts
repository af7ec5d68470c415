import type { Carrier, CarrierSays, Saying } from './says.ts'
import {
  carrierName,
  enumerated,
  type Joined,
  pairsOf,
  type RightsContradiction,
  sentence,
  topicOf,
} from './topic.ts'

/** Joins what carriers say of who reads a book aloud. That a person does need not be said everywhere. */
export function joinVoices(all: readonly CarrierSays[]): Joined {
  const speaking = all.filter(({ voices }) => voices !== undefined)
  const contradictions = pairsOf(speaking).flatMap(([one, other]): RightsContradiction[] => {
    const [synthetic, human] = isOnly(one.voices, 'synthetic') ? [one, other] : [other, one]
    if (!isOnly(synthetic.voices, 'synthetic') || !isOnly(human.voices, 'person')) return []
    const actors = (synthetic.voices ?? []).map(({ written }) => folded(written))
    // A voice may be named after the actor that it is based on.
    const names = (human.voices ?? []).flatMap(({ written = '' }) =>
      actors.includes(folded(written)) ? [] : written,
    )
    if (names.length === 0) return []
    return [
      {
        code: 'narration_contradicts',
        carriers: [one.carrier, other.carrier],
        message: sentence(
          `${carrierName(synthetic)} says that a synthesised voice reads it, and ${carrierName(human)} that ${enumerated(names)} ${names.length === 1 ? 'does' : 'do'}`,
        ),
      },
    ]
  })
  return joined(speaking, ({ voices = [] }) => voices, 'synthetic', contradictions)
}

/** Joins what carriers say of the part that generative AI had in a book. That it had none need not be said everywhere. */
export function joinSources(all: readonly CarrierSays[]): Joined {
  const speaking = all.filter(({ sources }) => sources !== undefined)
  const contradictions = pairsOf(speaking).flatMap(([one, other]): RightsContradiction[] => {
    const [artificial, human] = one.sources?.some(({ value }) => value === 'ai') ? [one, other] : [other, one]
    if (!artificial.sources?.some(({ value }) => value === 'ai') || !isOnly(human.sources, 'people'))
      return []
    return [
      {
        code: 'ai_contradicts',
        carriers: [one.carrier, other.carrier],
        message: sentence(
          `${carrierName(artificial)} says that AI had a part in it, and ${carrierName(human)} that people made it`,
        ),
      },
    ]
  })
  return joined(speaking, ({ sources = [] }) => sources, 'ai', contradictions)
}

/** A topic of which one value must be said by every carrier, if one of them says it. */
function joined(
  all: readonly CarrierSays[],
  sayingsOf: (says: CarrierSays) => readonly Saying[],
  declared: string,
  contradictions: readonly RightsContradiction[],
): Joined {
  const saysIt = (says: CarrierSays) => sayingsOf(says).some(({ value }) => value === declared)
  const missingIn: Carrier[] = all.some(saysIt)
    ? all.filter(says => sayingsOf(says).length === 0).map(({ carrier }) => carrier)
    : []
  return topicOf(
    all.map(says => [says.carrier, sayingsOf(says)] as const),
    missingIn,
    contradictions,
  )
}

const isOnly = (sayings: readonly Saying[] | undefined, value: string): boolean =>
  sayings !== undefined && sayings.length > 0 && sayings.every(each => each.value === value)

const folded = (name = ''): string => name.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim()
