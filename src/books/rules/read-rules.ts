import { dirname, extname, resolve } from 'node:path'
import { readDataFile } from '../../system/data-file.ts'
import { UsageFailure } from '../../system/errors.ts'
import type { MayRead } from '../../system/may-read.ts'
import { packs } from './packs/index.ts'
import { checkRules, type RuleFile, type WrittenRule } from './schema.ts'

/** A rule, and the name of the pack or file that it is from. */
export interface Rule extends WrittenRule {
  readonly from: string
}

/** The longest file that is read, in bytes. */
const most = 256 * 1024

/** The rules of some packs and files, and the paths of the baselines that they name. */
interface ReadRules {
  readonly rules: readonly Rule[]
  readonly baselines: readonly string[]
}

/**
 * The rules of some packs and files, in their order. A later one that has no check of its own changes the earlier one of its
 * id. Throws UsageFailure `bad_rules` with line and column for a file that says something else.
 */
export async function readRules(named: readonly string[], mayRead: MayRead): Promise<ReadRules> {
  const rules = new Map<string, Rule>()
  const baselines: string[] = []
  for (const each of named) {
    const { name = each, baseline, rules: written } = await readOne(each, mayRead, new Set(rules.keys()))
    if (baseline !== undefined) baselines.push(resolve(dirname(each), baseline))
    for (const rule of written) {
      const earlier = rules.get(rule.id)
      rules.set(rule.id, {
        ...(rule.check || rule.person ? {} : earlier),
        ...rule,
        from: earlier?.from ?? name,
      })
    }
  }
  return { rules: [...rules.values()], baselines }
}

async function readOne(nameOrFile: string, mayRead: MayRead, known: ReadonlySet<string>): Promise<RuleFile> {
  const pack = Object.hasOwn(packs, nameOrFile) ? packs[nameOrFile] : undefined
  if (pack) return pack
  if (extname(nameOrFile) === '') {
    throw new UsageFailure(`there are no rules "${nameOrFile}"`, {
      hint: `Name a pack (${Object.keys(packs).join(', ')}) or a file: --rules house.yaml`,
    })
  }
  return await readDataFile(nameOrFile, mayRead, {
    ...{ most, code: 'bad_rules', hint: 'docs/rules.md says what rules may have.' },
    check: value => checkRules(value, known),
  })
}
