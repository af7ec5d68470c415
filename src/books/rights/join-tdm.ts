import type { CarrierSays, Reservation } from './says.ts'
import {
  carrierName,
  enumerated,
  type Joined,
  pairsOf,
  type RightsContradiction,
  sentence,
  topicOf,
} from './topic.ts'

const verbs: Readonly<Record<Reservation, string>> = {
  reserved: 'reserves text and data mining',
  permitted: 'permits it',
  limited: 'limits it',
}

/** What reserves everything and what reserves all beyond a limit go together. What permits everything goes with neither. */
const exclude = (one: Reservation, other: Reservation): boolean =>
  one !== other && [one, other].includes('permitted')

/** Joins what carriers say of text and data mining, and the policies that they name. */
export function joinTdm(all: readonly CarrierSays[]): Joined {
  const valuesOf = ({ tdm }: CarrierSays) => [...new Set(tdm.reservations.map(({ value }) => value))]
  const contradictions: RightsContradiction[] = []
  for (const says of all) {
    const values = valuesOf(says)
    if (values.some(one => values.some(other => exclude(one, other)))) {
      const what = enumerated(values.map(value => verbs[value].replace('it', 'text and data mining')))
      contradictions.push({
        code: 'tdm_contradicts_itself',
        carriers: [says.carrier],
        message: sentence(`${carrierName(says)} ${what}`),
      })
    }
  }
  for (const [one, other] of pairsOf(all)) {
    const [values, others] = [valuesOf(one), valuesOf(other)]
    const [value, against] = [values[0], others[0]]
    // One that contradicts itself is no measure for the others.
    if (value === undefined || against === undefined || values.length > 1 || others.length > 1) continue
    const carriers = [...new Set([one.carrier, other.carrier])]
    if (exclude(value, against)) {
      const [first, second] = value === 'permitted' ? [other, one] : [one, other]
      const beyond = value === 'permitted' ? against : value
      contradictions.push({
        code: 'tdm_contradicts',
        carriers,
        message: sentence(
          `${carrierName(first)} ${beyond === 'limited' ? 'permits text and data mining up to a limit' : verbs[beyond]}, and ${carrierName(second)} permits it`,
        ),
      })
    }
  }
  for (const [one, other] of pairsOf(all)) {
    const [policies, others] = [one, other].map(({ tdm }) =>
      tdm.policies.map(({ value }) => addressOf(value)),
    )
    if (!policies?.length || !others?.length || policies.some(each => others.includes(each))) continue
    contradictions.push({
      code: 'tdm_policy_contradicts',
      carriers: [...new Set([one.carrier, other.carrier])],
      message: sentence(
        `${carrierName(one)} names the policy ${one.tdm.policies[0]?.value}, and ${carrierName(other)} ${other.tdm.policies[0]?.value}`,
      ),
    })
  }
  const isSaid = all.some(({ tdm }) => tdm.reservations.length > 0)
  const silent = isSaid ? all.filter(({ tdm }) => tdm.reservations.length === 0) : []
  const joined = topicOf(
    all.map(({ carrier, tdm }) => [carrier, tdm.reservations] as const),
    silent.map(({ carrier }) => carrier),
    contradictions,
  )
  const policies = all.flatMap(({ carrier, tdm }) => tdm.policies.map(each => ({ carrier, ...each })))
  return { ...joined, topic: { ...joined.topic, policies } }
}

/** An address as it is compared. */
const addressOf = (text: string): string => (URL.canParse(text) ? new URL(text).href : text)
