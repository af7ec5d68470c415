import type { RuleFile } from '../schema.ts'

/** The packs of rules that come with pubctl, by their names. */
export const packs: Readonly<Record<string, RuleFile>> = {}
