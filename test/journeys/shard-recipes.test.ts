import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { shardSystems } from '../../src/cli/shard-systems.ts'
import { bookOf } from '../support/catalogues/catalogue.ts'
import { environment, pathWithPubctl } from '../support/machine/bin.ts'
import { blockBelow, sectionOf } from '../support/machine/pages.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { startServer } from '../support/servers/sandbox-server.ts'

const page = 'docs/shards.md'

const github = parse(blockBelow(page, '### A matrix of GitHub Actions', 'yaml'))
const gitlab = parse(blockBelow(page, "### GitLab's parallel", 'yaml'))
const job = parse(blockBelow(page, '### An Indexed Job of Kubernetes', 'yaml'))
const container = job.spec.template.spec.containers[0]
const inKubernetes = blockBelow(page, '### An Indexed Job of Kubernetes', 'sh')

const pubctlStep = ({ steps }: { steps: { run?: string }[] }): string =>
  steps.find(({ run }) => run?.startsWith('pubctl '))?.run ?? ''

/** What a recipe runs: once, then once for each shard at the same time, then once. */
interface Recipe {
  readonly plan: string
  readonly apply: string
  readonly shards: Record<string, string>[]
  readonly merge: string
  readonly receipts: string
}

const indices = (count: number, first: 0 | 1) =>
  Array.from({ length: count }, (_, index) => `${index + first}`)

const recipes: Record<string, Recipe> = {
  "GitLab's parallel": {
    plan: gitlab.plan.script[0],
    apply: gitlab.apply.script[0],
    shards: indices(gitlab.apply.parallel, 1).map(index => ({
      CI_NODE_INDEX: index,
      CI_NODE_TOTAL: `${gitlab.apply.parallel}`,
    })),
    merge: gitlab.receipts.script[0],
    receipts: gitlab.receipts.artifacts.reports.junit,
  },
  "GitHub's matrix": {
    plan: pubctlStep(github.jobs.plan),
    apply: pubctlStep(github.jobs.apply),
    shards: github.jobs.apply.strategy.matrix.shard.map((shard: number) => ({
      CI_NODE_INDEX: `${shard}`,
      CI_NODE_TOTAL: `${github.jobs.apply.strategy.matrix.shard.length}`,
    })),
    merge: pubctlStep(github.jobs.receipts),
    receipts: 'receipts.xml',
  },
  'an Indexed Job': {
    plan: pubctlStep(github.jobs.plan),
    apply: container.args[0],
    shards: indices(job.spec.completions, 0).map(index => ({ JOB_COMPLETION_INDEX: index })),
    merge: inKubernetes,
    receipts: 'receipts.html',
  },
}

describe.runIf(isSlow).each(Object.entries(recipes))('the recipe for %s', (_, recipe) => {
  it('carries a plan out in four jobs, and merges their receipts', async () => {
    const share = temporaryFolder()
    const isbns = ['9783161484100', '9780306406157', '9780198526636']
    mkdirSync(join(share, 'books'))
    for (const isbn of isbns) writeFileSync(join(share, `books/${isbn}.epub`), bookOf(isbn))
    writeFileSync(join(share, 'feed.csv'), `isbn\n${isbns.join('\n')}\n`)
    const path = pathWithPubctl()
    const { baseUrl, key } = await startServer(temporaryFolder(), ['--processing-delay', '5ms'])
    // Each job is on a machine of its own, which shares the folder alone.
    const run = (script: string, env: Record<string, string> = {}) =>
      execa('/bin/sh', ['-e', '-c', script.replaceAll('/share/', `${share}/`)], {
        cwd: share,
        env: environment({ CI: 'true', PATH: path, PUBCTL_API_KEY: key, PUBCTL_BASE_URL: baseUrl, ...env }),
        extendEnv: false,
        reject: false,
      })
    expect(await run(recipe.plan)).toMatchObject({ exitCode: 0 })
    const applied = await Promise.all(recipe.shards.map(shard => run(recipe.apply, shard)))
    expect(applied.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0])
    expect(await run(recipe.merge)).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('3 uploaded.'),
    })
    expect(readFileSync(join(share, recipe.receipts), 'utf8')).toMatch(/9783161484100[\s\S]*9780198526636/)
  })
})

describe('the recipes for shards', () => {
  it('name their artifacts as the jobs that need them do', () => {
    const expression = (name: string) => `$\{{ ${name} }}`
    const shard = expression('matrix.shard')
    const steps = Object.values<{ steps: { uses?: string; with?: Record<string, string> }[] }>(github.jobs)
      .flatMap(each => each.steps)
      .filter(({ uses }) => uses?.includes('load-artifact@'))
      .map(each => each.with)
    expect(steps).toEqual([
      { name: 'plan', path: 'plan.ndjson' },
      { name: 'plan' },
      {
        name: `receipts-${shard}`,
        path: `receipts-${shard}.ndjson`,
        overwrite: true,
      },
      { pattern: 'receipts-*', 'merge-multiple': true },
    ])
    expect(github.jobs.apply.env).toEqual({
      CI_NODE_INDEX: shard,
      CI_NODE_TOTAL: expression('strategy.job-total'),
    })
    expect([gitlab.plan.artifacts.paths, gitlab.apply.artifacts.paths]).toEqual([
      ['plan.ndjson'],
      ['receipts-*.ndjson'],
    ])
  })

  it('have a job for each shard', () => {
    expect(job.spec).toMatchObject({ completionMode: 'Indexed', parallelism: job.spec.completions })
    expect(container.args[0]).toContain(`--shard auto/${job.spec.completions} `)
    expect(container.volumeMounts[0].name).toBe(job.spec.template.spec.volumes[0].name)
  })

  it('stand below the variables that --shard auto reads', () => {
    const rows = sectionOf(page, '## Let the CI system say which shard')
      .split('\n')
      .filter(line => line.includes('`') && line.startsWith('| '))
      .map(line => line.split(' | ').slice(1, 4))
    expect(rows.map(([index, first, total = '']) => [index, first, /^`([A-Z_]+)`/.exec(total)?.[1]])).toEqual(
      shardSystems.map(({ index, first, total }) => [`\`${index}\``, `${first}`, total]),
    )
  })
})
