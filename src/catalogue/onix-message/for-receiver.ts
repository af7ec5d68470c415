import type { Contributor } from './contributor-roles.ts'
import { type Feature, featureTypes } from './file-facts.ts'
import type { Receiver } from './receivers/index.ts'
import type { RecordFacts } from './record.ts'

/** The facts of a record that a receiver takes. */
interface Taken {
  readonly facts: RecordFacts
  /** The codes that it does not take, such as `10 of list 79`. */
  readonly notTaken: readonly string[]
  /** What it requires and the record does not have. */
  readonly missing: readonly string[]
}

type List = keyof NonNullable<Receiver['codes']>

/** Leaves out the codes that a receiver does not take, and says versions as it wants them. */
export function forReceiver(facts: RecordFacts, receiver: Receiver): Taken {
  const notTaken: string[] = []
  const takes = (list: List, code: string | undefined): boolean => {
    const codes = receiver.codes?.[list]
    const isTaken = codes === undefined || code === undefined || codes.includes(code)
    if (!isTaken) notTaken.push(`${code} of list ${list}`)
    return isTaken
  }
  const taken: RecordFacts = {
    ...facts,
    features: featuresFor(facts.features, receiver, takes),
    usage: facts.usage.filter(({ type }) => takes('145', type)),
    extents: facts.extents.filter(({ type }) => takes('23', type)),
    subjects: facts.subjects.filter(({ scheme }) => takes('27', scheme)),
    dates: facts.dates.filter(({ role }) => takes('163', role)),
    contributors: facts.contributors
      .map((each): Contributor => ({ ...each, roles: each.roles.filter(role => takes('17', role)) }))
      .filter(({ roles }) => roles.length > 0),
  }
  const missing = (receiver.requires ?? []).filter(name => !has[name](taken))
  return { facts: taken, notTaken, missing }
}

/** The features that a receiver takes, with versions of EPUB in its codes. */
const featuresFor = (
  features: readonly Feature[],
  { epubVersions = {} }: Receiver,
  takes: (list: List, code: string | undefined) => boolean,
): Feature[] =>
  features
    .map(feature => {
      const code = epubVersions[feature.value?.split('.')[0] ?? '']
      return feature.type === featureTypes.version && code !== undefined
        ? { type: featureTypes.versionCode, value: code }
        : feature
    })
    .filter(({ type, value }) => {
      const list = lists[type]
      return takes('79', type) && (list === undefined || takes(list, value))
    })

/** The lists of the values of features. */
const lists: Readonly<Record<string, List>> = {
  [featureTypes.accessibility]: '196',
  [featureTypes.hazard]: '143',
}

const has: Readonly<Record<NonNullable<Receiver['requires']>[number], (facts: RecordFacts) => boolean>> = {
  isbn: ({ isbn }) => isbn !== undefined,
  author: ({ contributors }) => contributors.length > 0,
  language: ({ language }) => language !== undefined,
  description: ({ description }) => description !== undefined,
  publisher: ({ publisher }) => publisher !== undefined,
  publicationDate: ({ dates }) => dates.some(({ role }) => role === '01'),
  subjects: ({ subjects }) => subjects.length > 0,
}
