import { type Carrier, type CarrierSays, carriers, type Saying } from './says.ts'

/**
 * Whether carriers agree, the worst first: two of them cannot both be right; one says what another one that was looked at
 * leaves out; two or more say the same; only one says something; and none does.
 */
export const verdicts = ['contradicts', 'missing', 'agrees', 'stated', 'silent'] as const
export type Verdict = (typeof verdicts)[number]

export const worstOf = (all: readonly Verdict[]): Verdict =>
  verdicts.find(verdict => all.includes(verdict)) ?? 'silent'

/** What carriers say of one topic. One that was not looked at, or has no place for it, is missing. */
export interface RightsTopic {
  verdict: Verdict
  /** Carriers that leave out what another one says. */
  missingIn: Carrier[]
  file?: readonly Saying[]
  feed?: readonly Saying[]
  site?: readonly Saying[]
  /** Codes of list 196 that a carrier leaves out although another one gives them. */
  leftOut?: readonly { readonly carrier: Carrier; readonly codes: readonly string[] }[]
  /** Addresses of policies for text and data mining. */
  policies?: readonly (Saying & { readonly carrier: Carrier })[]
}

/** Two things of which only one can be true. */
export interface RightsContradiction {
  /** A stable code for scripts. */
  code: string
  carriers: Carrier[]
  /** One sentence for a person. */
  message: string
}

export type UnknownRight = Saying & { readonly carrier: Carrier; readonly property: string }

export interface Joined {
  readonly topic: RightsTopic
  readonly contradictions: readonly RightsContradiction[]
}

/** A topic from what each carrier says of it. `missingIn` are those that leave something out. */
export function topicOf(
  said: readonly (readonly [Carrier, readonly Saying[]])[],
  missingIn: readonly Carrier[],
  contradictions: readonly RightsContradiction[],
): Joined {
  const byCarrier = new Map<Carrier, Saying[]>()
  for (const [carrier, sayings] of said)
    byCarrier.set(carrier, [...(byCarrier.get(carrier) ?? []), ...sayings])
  const speaking = said.filter(([, sayings]) => sayings.length > 0).length
  const verdict = ((): Verdict => {
    if (contradictions.length > 0) return 'contradicts'
    if (missingIn.length > 0) return 'missing'
    return speaking > 1 ? 'agrees' : speaking === 1 ? 'stated' : 'silent'
  })()
  return {
    topic: {
      verdict,
      missingIn: carriers.filter(carrier => missingIn.includes(carrier)),
      ...Object.fromEntries(byCarrier),
    },
    contradictions,
  }
}

/** Each two of some carriers. */
export const pairsOf = (all: readonly CarrierSays[]): (readonly [CarrierSays, CarrierSays])[] =>
  all.flatMap((one, index) => all.slice(index + 1).map(other => [one, other] as const))

/** `the file`, or `the site https://press.example/`. */
export const carrierName = ({ carrier, name }: Pick<CarrierSays, 'carrier' | 'name'>): string =>
  name === undefined ? `the ${carrier}` : `the ${carrier} ${name}`

/** A sentence begins with a capital letter. */
export const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`

export const enumerated = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
