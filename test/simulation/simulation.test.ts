import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundleSimulation, runSimulation } from '../../.ci/simulate.js'
import { temporaryFolder } from '../support/machine/pubctl.ts'
import { isSlow } from '../support/machine/slow.ts'
import { leftByDead } from './left-by-dead.ts'
import { plants } from './plants.ts'

const timeout = 3_600_000
const processes = 2

/** The program with its simulation, made once for all tests. */
let program: Promise<string> | undefined
const simulate = async (args: readonly string[], options = {}) => {
  program ??= bundleSimulation('unchanged')
  return await runSimulation(await program, args, options)
}

/** The scenarios of which every history is tried. */
const uploading = ['upload', 'batch', 'edition', 'skip existing', 'apply']

describe('whatever goes wrong once, at whatever point', () => {
  it('leaves each book at the service once, with its bytes, and nothing said that is not so', {
    timeout,
  }, async () => {
    // Each point of each scenario once, with another fault than at the one before.
    const { tried, wrong } = await simulate(['--mood', 'usual', '--once'], { processes })
    expect(wrong).toEqual([])
    expect(tried).toMatchObject({ scenarios: 15, kinds: 15, ways: 5 })
    expect(tried['points']).toBeGreaterThan(600)
    expect(tried['runs']).toBeGreaterThan(2500)
    if (!isSlow) return
    // All scenarios in all moods take half an hour, which is left to `npm run simulate`.
    let histories = 0
    for (const scenario of uploading) {
      for (const mood of ['usual', 'current at creation', 'new object keys']) {
        const every = mood === 'usual' ? '1' : '5'
        const { tried, wrong } = await simulate(['--scenario', scenario, '--mood', mood, '--every', every], {
          processes,
        })
        expect(wrong).toEqual([])
        histories += tried['histories'] ?? 0
      }
    }
    // Statements are many, and a worker waits for what another one had.
    for (const scenario of ['worker', 'two-workers', 'watch-with-triggers']) {
      const { tried, wrong } = await simulate(['--scenario', scenario, '--mood', 'usual', '--every', '20'], {
        processes,
      })
      expect(wrong).toEqual([])
      histories += tried['histories'] ?? 0
    }
    expect(histories).toBeGreaterThan(2000)
  })
})

describe.runIf(isSlow)('a process whose death is simulated', () => {
  const many = ['upload', 'batch', 'edition', 'apply'].map((scenario, index) => ({
    scenario,
    points: Array.from({ length: 120 }, (_, point) => point).filter(
      point => scenario === 'upload' || point % 4 === index % 4,
    ),
  }))

  it.each(many)(
    'leaves the files of $scenario as one that the system kills',
    {
      timeout,
    },
    async ({ scenario, points }) => {
      program ??= bundleSimulation('unchanged')
      const folder = join(temporaryFolder(), 'worlds')
      let compared = 0
      for (const point of points) {
        const death = { scenario, fault: `0.0.${point}:die-${point % 4 < 2 ? 'after' : 'before'}` }
        const left = leftByDead(await program, death, 'afterwards', folder)
        if (left === undefined) break
        expect(left).not.toEqual({})
        expect({ death, left: leftByDead(await program, death, 'at-once', folder) }).toEqual({ death, left })
        compared++
      }
      expect(compared).toBeGreaterThan(3)
    },
  )
})

describe.runIf(isSlow)('what the simulation is to find', () => {
  it.each(plants)('is found if $name', { timeout }, async plant => {
    const path = await bundleSimulation(`planted-${plants.indexOf(plant)}`, plant)
    const { scenario, seed } = plant
    const where = ['--scenario', scenario, '--mood', 'usual', '--first']
    const by = seed === undefined ? [] : ['--seed', `${seed}`]
    expect((await runSimulation(path, [...where, ...by])).wrong).not.toEqual([])
    if (seed !== undefined) expect((await simulate([...where, ...by])).wrong).toEqual([])
  })

  it('is told by the seed in which it ends everything', { timeout }, async () => {
    const path = await bundleSimulation('ending', {
      file: 'src/uploads/duplicates.ts',
      text: 'const { title } = entry.creation.edition\n',
      by: `const { title } = entry.creation.edition; setImmediate(() => { throw new Error('nobody waits for it') })\n`,
    })
    const ends = runSimulation(path, ['--scenario', 'upload', '--mood', 'usual', '--seeds', '50'])
    await expect(ends).rejects.toThrow(
      /^the simulation ended early: it broke off in\n {2}npm run simulate -- --scenario upload --mood usual --seed \d+$/,
    )
  })

  it('is told by its seed, the shortest history and the command line that replays it', {
    timeout,
  }, async () => {
    const plant = plants.find(({ name }) => name === 'each run makes an upload request of its own')
    const path = await bundleSimulation('planted', plant)
    const { wrong } = await runSimulation(path, [
      ...['--scenario', 'upload', '--mood', 'usual', '--seed', `${plant?.seed}`],
    ])
    const [line = ''] = wrong.slice(-1)
    expect(wrong.join('\n')).toMatch(
      /^upload \(.*\n( {2}.*\n)+ {2}seed \d+; the shortest history:\nupload \(/,
    )
    expect(line).toMatch(
      /^ {2}npm run simulate -- --replay --scenario upload --mood \S+ (--seed \d+ )?--fault \S+$/,
    )
    const again = line.trim().split(' ').slice(4)
    const shortest = wrong.slice(wrong.findIndex(each => each.endsWith('; the shortest history:')) + 1, -1)
    expect((await runSimulation(path, again)).wrong).toEqual(shortest)
    expect((await simulate(again)).wrong).toEqual([])
  })
})

describe.runIf(isSlow)('whatever goes wrong several times, for several processes, as a seed has it', () => {
  it.each([
    // The machine stops while a batch begins its uploads, and the service refuses the ids that it has seen.
    '--replay --scenario batch --mood ids-refused --fault 0.0.11:torn-write --seed 2',
    // A worker is stopped at the moment at which it loses its database.
    '--seed 1628',
    // The service refuses what was made before with 409. Another machine has sent the file,
    '--seed 3622',
    // or this one, whose journal has lost that in a stop,
    ...['4204', '4981', '5430', '6706', '11135', '11751'].map(seed => `--seed ${seed}`),
    // or that it has begun, too: it goes on ten minutes later.
    '--seed 6334',
    // The service ignores ids, and a machine has forgotten in a stop that it has sent an edition.
    '--seed 11888',
    // The disk is full where the key of the journal is made, so that the next run cannot trust what is there.
    '--seed 14247',
    // A file is sent once more to another object, since a machine has forgotten in a stop that it has sent it, and its session has ended.
    '--replay --scenario batch --mood new-object-keys --seed 9654 --neighbour 0@235 --fault 0.0.17:torn-write --fault 1.0.14:clock-forward',
    // The disk is full where a sheet gets its name back that a killed watcher had put aside.
    '--replay --scenario watch-once --mood limited-with-a-pause --fault 0.0.56:die-after --fault 1.0.3:disk-full',
    // Another process ends the same upload while the service is asked, and the clock is set back before that.
    '--replay --scenario skip-existing --mood 409-for-a-repeat --seed 49053 --neighbour 0@0 --fault 0.0.4:answer-late --fault 0.1.10:clock-back',
    // The first request of a worker about a step is not answered in time.
    '--replay --scenario worker --mood limited-with-a-pause --seed 10145 --fault 0.0.126:die-after --fault 1.0.31:request-late',
    // A day passes twice, for the service as well, before a disk is full as a publication has been made.
    '--replay --scenario watch-with-triggers --mood 409-for-a-repeat --going a-day-later --fault 0.0.4:die-after --fault 1.0.1:die-after --fault 2.0.18:disk-full',
    // The disk is full where the key of the journal is made, or for all of a run, and what a watcher has begun is not written down:
    // the next one leaves it to people.
    ...['64088', '63328'].map(seed => `--seed ${seed}`),
    '--replay --scenario watch --mood usual --fault 0.0.7:disk-full --fault 0.0.13:die-before',
    // A watcher is stopped before a slow service has scanned the book: nothing went wrong but that.
    '--replay --scenario watch --mood slow',
    // A process that carries out a plan waits to ask the service. Another one sends a book meanwhile, and cannot write down how that ends,
    // or dies.
    '--replay --scenario apply --mood limited-with-a-pause --seed 49749 --neighbour 0@829 --fault 0.1.18:disk-stays-full',
    '--replay --scenario apply --mood 409-for-a-repeat --neighbour 0@2840 --fault 0.0.1:request-late --fault 0.1.11:die-after',
    // The request of a machine that has died arrives after another one has looked for what is there.
    '--seed 29021',
    // Two processes queue the same books; one dies, and the other cannot write down that it has taken one out.
    '--replay --scenario batch --mood limited --neighbour 0@2727 --neighbour 0@2554 --fault 0.1.1:die-after --fault 0.2.8:disk-full',
    // A watcher has forgotten in a stop what it has sent, and finds it at the service before it is scanned.
    '--replay --scenario watch-once --mood slow --seed 607544 --fault 0.0.193:torn-write',
    // The service refuses a request for the rate, and the connection is cut within that answer.
    '--replay --scenario watch --mood limited --fault 0.0.36:die-before --fault 1.0.5:answer-cut',
    // A process without a journal has made the book, too, and which one is its own another one has forgotten in a stop.
    '--replay --scenario upload --mood 409-for-a-repeat --neighbour 0@2953 --fault 0.0.1:disk-stays-full --fault 0.0.9:request-late --fault 0.1.13:torn-write',
    // Another machine has died behind a creation, and whether it goes on with it only a person knows.
    '--replay --scenario apply --mood new-object-keys --seed 1008608 --neighbour 1@2488 --fault 0.0.0:answer-late --fault 0.1.13:die-before',
  ])('leaves the same where it once did not: %s', { timeout }, async line => {
    expect((await simulate(line.split(' '))).wrong).toEqual([])
  })

  it.each(uploading)('leaves the same of %s', { timeout }, async scenario => {
    const one = ['--scenario', scenario, '--mood', 'usual', '--seeds', '100']
    const { tried, wrong } = await simulate(one, { processes })
    expect(wrong).toEqual([])
    expect(tried['histories']).toBe(100)
    expect(tried['faults']).toBeGreaterThan(100)
  })

  it('leaves the same, and is the same each time, to the millisecond, in another process too', {
    timeout,
  }, async () => {
    const seeds = 100
    const [one, other] = await Promise.all(
      [1, 2].map(async () => await simulate(['--seeds', `${seeds}`, '--trace'])),
    )
    expect(one?.tried).toMatchObject({ histories: seeds, wrong: 0 })
    expect(one?.tried['faults']).toBeGreaterThan(seeds)
    expect(one?.wrong.join('\n')).toMatch(/run 0, process 0: .* → (\d+|died)\n {2}0 \d+ ms /)
    expect(other).toEqual(one)
  })
})
