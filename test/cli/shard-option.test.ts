import { describe, expect, it } from 'vitest'
import { shardText } from '../../src/plan/shard.ts'
import { resolveShard, shardOption } from '../../src/uploads/options/shard-option.ts'

const parse = (text: string) =>
  shardOption().parseArg?.(text, undefined as never) as unknown as Parameters<typeof resolveShard>[0]
const resolve = (text: string, env: Record<string, string> = {}) => shardText(resolveShard(parse(text), env))

describe('--shard', () => {
  it.each(['1/1', '3/7', '7/7', '10000/10000'])('takes %s', text => {
    expect(resolve(text, { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '2' })).toBe(text)
  })

  it.each([
    '',
    '3',
    '0/7',
    '8/7',
    '3/0',
    '03/7',
    '3/7/9',
    '-1/7',
    '3/10001',
    'auto/',
    'auto/0',
    'auto/10001',
    'AUTO',
  ])('refuses "%s"', text =>
    expect(() => resolve(text, { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '2' })).toThrow('is not a shard'),
  )
})

describe('--shard auto', () => {
  it.each<[string, string, Record<string, string>, string]>([
    ['GitLab', 'auto', { CI_NODE_INDEX: '3', CI_NODE_TOTAL: '7' }, '3/7'],
    ['GitLab, in a job that is not parallel', 'auto', { CI_NODE_TOTAL: '1' }, '1/1'],
    ['Kubernetes', 'auto/7', { JOB_COMPLETION_INDEX: '0' }, '1/7'],
    ['AWS Batch', 'auto', { AWS_BATCH_JOB_ARRAY_INDEX: '2', AWS_BATCH_JOB_ARRAY_SIZE: '7' }, '3/7'],
    ['CircleCI', 'auto', { CIRCLE_NODE_INDEX: '6', CIRCLE_NODE_TOTAL: '7' }, '7/7'],
    ['Buildkite', 'auto', { BUILDKITE_PARALLEL_JOB: '0', BUILDKITE_PARALLEL_JOB_COUNT: '7' }, '1/7'],
    ['a number that agrees', 'auto/7', { CI_NODE_INDEX: '3', CI_NODE_TOTAL: '7' }, '3/7'],
    [
      'two systems that agree',
      'auto',
      { CI_NODE_INDEX: '3', CI_NODE_TOTAL: '7', CIRCLE_NODE_INDEX: '2', CIRCLE_NODE_TOTAL: '7' },
      '3/7',
    ],
    [
      'an empty variable beside others',
      'auto',
      { CI_NODE_INDEX: '', CIRCLE_NODE_INDEX: '2', CIRCLE_NODE_TOTAL: '7' },
      '3/7',
    ],
  ])('reads the variables of %s', (_, text, env, expected) => expect(resolve(text, env)).toBe(expected))

  it.each<[string, string, Record<string, string>, RegExp]>([
    ['no variable is set', 'auto', {}, /no variable says which shard/],
    ['only Kubernetes says the index', 'auto', { JOB_COMPLETION_INDEX: '0' }, /no variable says how many/],
    [
      'there is a total alone',
      'auto',
      { CI_NODE_TOTAL: '7' },
      /CI_NODE_TOTAL is 7, and CI_NODE_INDEX is not set/,
    ],
    [
      'the index is beyond the total',
      'auto',
      { CIRCLE_NODE_INDEX: '7', CIRCLE_NODE_TOTAL: '7' },
      /is no shard of 7/,
    ],
    [
      'the index is 0 where 1 is the first',
      'auto',
      { CI_NODE_INDEX: '0', CI_NODE_TOTAL: '7' },
      /is no shard of 7/,
    ],
    ['a variable is no number', 'auto/7', { JOB_COMPLETION_INDEX: 'x' }, /JOB_COMPLETION_INDEX is "x"/],
    [
      'the number is another one',
      'auto/7',
      { CI_NODE_INDEX: '3', CI_NODE_TOTAL: '8' },
      /GitLab runs 8 jobs .*says 7/,
    ],
    [
      'two systems disagree',
      'auto/7',
      { CI_NODE_INDEX: '3', CI_NODE_TOTAL: '7', JOB_COMPLETION_INDEX: '3' },
      /two shards: CI_NODE_INDEX=3, CI_NODE_TOTAL=7 \(shard 3\/7\), and JOB_COMPLETION_INDEX=3 \(shard 4\/7\)/,
    ],
  ])('is refused if %s', (_, text, env, message) => expect(() => resolve(text, env)).toThrow(message))
})
