import { Option } from '@commander-js/extra-typings'
import { type ShardSystem, shardSystems } from '../../cli/shard-systems.ts'
import { mostShards, type Shard, shardText } from '../../plan/shard.ts'
import { UsageFailure } from '../../system/errors.ts'

/** What `--shard` names: a shard, or that which the environment names. */
export type ShardChoice = Shard | { readonly isAuto: true; readonly total: number | undefined }

export const shardOption = () =>
  new Option(
    '--shard <i/n>',
    'do one of n parts, so that n machines share the work; "auto" or "auto/n" asks the CI system which',
  ).argParser(parseShard)

/** `3/7`, `auto` or `auto/7`. */
function parseShard(text: string): ShardChoice {
  const [, part = '', of] = /^([1-9]\d{0,8}|auto)(?:\/([1-9]\d{0,8}))?$/.exec(text) ?? []
  const total = of === undefined ? undefined : Number(of)
  const isFit = part === 'auto' || (total !== undefined && Number(part) <= total)
  if (part === '' || !isFit || (total ?? 0) > mostShards) {
    throw new UsageFailure(`"${text}" is not a shard`, {
      hint: `Write it like 3/7, the third of seven (${mostShards} is the most), or write auto or auto/7.`,
    })
  }
  return part === 'auto' ? { isAuto: true, total } : { index: Number(part), total: total as number }
}

type Env = Readonly<Record<string, string | undefined>>

/** The shard that `--shard` names. Throws UsageFailure `bad_shard` if the environment does not say which one `auto` is. */
export function resolveShard(choice: ShardChoice, env: Env): Shard {
  if (!('isAuto' in choice)) return choice
  const found = shardSystems.flatMap(system => shardFrom(system, env, choice.total) ?? [])
  const [first, ...others] = found
  if (first === undefined) {
    throw badShard(
      'no variable says which shard "--shard auto" is',
      `It reads ${shardSystems.map(({ name, index }) => `${index} (${name})`).join(', ')}. Elsewhere, write it like 3/7.`,
    )
  }
  const other = others.find(each => shardText(each.shard) !== shardText(first.shard))
  if (other) {
    const [one, two] = [first, other].map(({ says, shard }) => `${says} (shard ${shardText(shard)})`)
    throw badShard(`the environment names two shards: ${one}, and ${two}`, 'Write the one that is meant.')
  }
  return first.shard
}

/** The shard that a system names, and the words in which it does; undefined if this is not that system. */
function shardFrom(
  { name, index, first, total }: ShardSystem,
  env: Env,
  given: number | undefined,
): { shard: Shard; says: string } | undefined {
  const stated = total === undefined ? undefined : numberIn(env, total)
  // GitLab has a total of 1, and no index, for a job that is not parallel.
  const at = numberIn(env, index) ?? (stated === 1 ? first : undefined)
  if (at === undefined && stated === undefined) return undefined
  if (at === undefined) throw badShard(`${total} is ${stated}, and ${index} is not set`, 'Set both, or none.')
  const says = `${index}=${at}${stated === undefined ? '' : `, ${total}=${stated}`}`
  if (stated !== undefined && given !== undefined && stated !== given) {
    throw badShard(
      `${name} runs ${stated} jobs (${total}), and --shard says ${given}`,
      `Write --shard auto, and set the number of jobs in ${name}.`,
    )
  }
  const of = given ?? stated
  if (of === undefined) {
    throw badShard(
      `${index} is ${at}, and no variable says how many shards there are`,
      'Write the number: --shard auto/7.',
    )
  }
  const shard = { index: at - first + 1, total: of }
  if (shard.index < 1 || shard.index > of || of > mostShards)
    throw badShard(`${says} is no shard of ${of}`, `${name} counts from ${first}.`)
  return { shard, says }
}

/** The whole number that a variable holds; undefined if it is not set. */
function numberIn(env: Env, name: string): number | undefined {
  const text = env[name]?.trim()
  if (text === undefined || text === '') return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw badShard(`${name} is "${text}", not a number`, 'Write the shard like 3/7.')
}

const badShard = (message: string, hint: string): UsageFailure =>
  new UsageFailure(message, { code: 'bad_shard', hint })
