import { joinAccess } from './join-access.ts'
import { joinSources, joinVoices } from './join-makers.ts'
import { joinTdm } from './join-tdm.ts'
import { type CarrierSays, carriers } from './says.ts'
import type { RightsContradiction, RightsTopic, UnknownRight } from './topic.ts'
import { type Verdict, worstOf } from './topic.ts'

/** What the carriers of a book say of its rights, its makers and its access, and whether they agree. */
export interface Rights {
  /** The worst of all topics. */
  verdict: Verdict
  /** Text and data mining. */
  tdm: RightsTopic
  accessibility: RightsTopic
  /** Who reads it aloud. */
  narration: RightsTopic
  /** What part generative AI had in it. */
  ai: RightsTopic
  contradictions: RightsContradiction[]
  /** Values that mean nothing, and count as none. */
  unknownValues: UnknownRight[]
}

/** Joins what the carriers that were looked at say. A carrier that was looked at and says nothing is among them. */
export function joinRights(says: readonly CarrierSays[]): Rights {
  const sorted = [...says].sort((a, b) => carriers.indexOf(a.carrier) - carriers.indexOf(b.carrier))
  const tdm = joinTdm(sorted)
  const accessibility = joinAccess(sorted)
  const narration = joinVoices(sorted)
  const ai = joinSources(sorted)
  const all = [tdm, accessibility, narration, ai]
  return {
    verdict: worstOf(all.map(({ topic }) => topic.verdict)),
    tdm: tdm.topic,
    accessibility: accessibility.topic,
    narration: narration.topic,
    ai: ai.topic,
    contradictions: all.flatMap(({ contradictions }) => contradictions),
    unknownValues: sorted.flatMap(({ carrier, unknown }) => unknown.map(each => ({ carrier, ...each }))),
  }
}
