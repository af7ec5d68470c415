/** A system that runs several jobs at once and tells each which one it is. */
export interface ShardSystem {
  readonly name: string
  readonly index: string
  /** The number that the first job gets. */
  readonly first: 0 | 1
  readonly total?: string
}

/** The systems of which `--shard auto` reads the variables. */
export const shardSystems: readonly ShardSystem[] = [
  { name: 'GitLab', index: 'CI_NODE_INDEX', first: 1, total: 'CI_NODE_TOTAL' },
  { name: 'Kubernetes', index: 'JOB_COMPLETION_INDEX', first: 0 },
  {
    name: 'AWS Batch',
    index: 'AWS_BATCH_JOB_ARRAY_INDEX',
    first: 0,
    total: 'AWS_BATCH_JOB_ARRAY_SIZE',
  },
  { name: 'CircleCI', index: 'CIRCLE_NODE_INDEX', first: 0, total: 'CIRCLE_NODE_TOTAL' },
  { name: 'Buildkite', index: 'BUILDKITE_PARALLEL_JOB', first: 0, total: 'BUILDKITE_PARALLEL_JOB_COUNT' },
]
