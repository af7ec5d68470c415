import type { RuleFile } from '../schema.ts'
import accessible from './accessible.json' with { type: 'json' }
import qualebook from './qualebook.json' with { type: 'json' }
import retail from './retail.json' with { type: 'json' }

/** The packs of rules that come with pubctl, by their names. */
export const packs = { retail, qualebook, accessible } as unknown as Readonly<Record<string, RuleFile>>
