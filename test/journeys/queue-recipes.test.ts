// The workers of a queue as the recipes of docs/scale.md start them: in a container of Docker Compose, and in a pod of Kubernetes.
import { cpSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { artefact } from '../support/machine/artefacts.ts'
import { lacksPackages, noPackages, npmEnvironment } from '../support/machine/npm.ts'
import { blockBelow } from '../support/machine/pages.ts'
import { runAt } from '../support/machine/place.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { usePostgres } from '../support/servers/postgres.ts'
import { queueScene } from '../support/servers/queue-scene.ts'

const page = 'docs/scale.md'
const compose = parse(blockBelow(page, '## With Docker Compose', 'yaml')).services.worker
const deployment = parse(blockBelow(page, '## With Kubernetes', 'yaml'))
const container = deployment.spec.template.spec.containers[0]

const isRun = isSlow && process.platform !== 'win32'
const postgres = usePostgres(isRun)

describe.runIf(isRun)('the worker of a queue', () => {
  /** A queue with two books, and an image of a container that has Node.js and npm, and the books below /books. */
  async function scene() {
    const image = temporaryFolder()
    const { books, plan, run, status, publications, titles, baseUrl, key, database } = await queueScene(
      postgres,
      2,
    )
    expect(await run(['queue', 'load', plan])).toMatchObject({ code: 0 })
    const mounted = join(temporaryFolder(), 'books')
    renameSync(books, mounted)
    const url = new URL(postgres.tcp(database))
    const here: Record<string, string> = {
      'https://api.example.com': baseUrl,
      [`$\{PUBCTL_API_KEY}`]: key,
      'pubctl@database/pubctl': `${url.username}@${url.host}${url.pathname}`,
      '/books': mounted,
    }
    const hereIs = (text: string) =>
      Object.entries(here).reduce((value, [word, own]) => value.replaceAll(word, own), text)
    const ofImage = {
      PATH: `${join(image, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
      NPM_CONFIG_PREFIX: image,
      ...npmEnvironment(),
    }
    /** Runs the command of a container until all books are there, and then stops the container. */
    async function work(command: string, env: Record<string, string>) {
      const worker = execa('/bin/sh', ['-c', `exec ${hereIs(command)}`], {
        ...{ cwd: '/', reject: false, extendEnv: false, stdin: 'ignore' },
        env: {
          ...ofImage,
          HOME: temporaryFolder(),
          ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, hereIs(value)])),
        },
      })
      const over = worker.then(({ stderr }) => stderr)
      for (let isDone = false; !isDone; ) {
        const ended = await Promise.race([over, new Promise(resolve => setTimeout(resolve, 200))])
        if (typeof ended === 'string') return { stderr: ended, code: worker.exitCode }
        isDone = (await status()).uploaded === titles.length
      }
      worker.kill('SIGTERM')
      return { stderr: await over, code: worker.exitCode }
    }
    const secret = { PUBCTL_API_KEY: key, PUBCTL_DATABASE_URL: `${url}?sslmode=disable` }
    return { image, ofImage, work, secret, titles, publications }
  }

  it('is installed and started by the container of Compose', async ({ skip }) => {
    const { work, titles, publications } = await scene()
    const [, mount = ''] = compose.volumes
    const [, inContainer = ''] = mount.split(':')
    const command = compose.command.replace(inContainer, await artefact('tarball'))
    expect(command).not.toBe(compose.command)
    const { code, stderr } = await work(command, compose.environment)
    if (lacksPackages(stderr)) skip(noPackages)
    expect({ code, stderr }).toMatchObject({ code: 143 })
    expect((await publications()).map(({ title }) => title).sort()).toEqual(titles)
  }, 120_000)

  it('is started by the pod of Kubernetes', async ({ skip }) => {
    const { image, ofImage, work, secret, titles, publications } = await scene()
    const { prefix } = (await artefact('installed')) ?? skip(noPackages)
    cpSync(prefix, image, { recursive: true, verbatimSymlinks: true })
    const beside = await runAt({ env: ofImage }, blockBelow(page, '# A queue for many machines', 'sh'))
    if (lacksPackages(beside.stderr)) skip(noPackages)
    expect(beside, beside.stderr).toMatchObject({ code: 0 })
    expect(container.envFrom).toEqual([{ secretRef: { name: 'publishing' } }])
    const named = Object.fromEntries(
      container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
    )
    const { code, stderr } = await work(container.args.join(' '), { ...secret, ...named })
    expect({ code, stderr }).toMatchObject({ code: 143 })
    expect((await publications()).map(({ title }) => title).sort()).toEqual(titles)
  }, 120_000)
})
