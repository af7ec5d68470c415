import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/system/world.ts'
import { openSentStore } from '../../src/uploads/sent/sent-store.ts'
import { temporaryFolder } from '../support/machine/pubctl.ts'

/** Opens the record of a machine, each time as another process would. */
function openMachine() {
  const folder = temporaryFolder()
  return () => {
    const store = openSentStore(
      {
        directories: { configDir: folder, dataDir: folder, cacheDir: folder },
        world: { clock: systemClock },
        err: { hide: text => text },
        warn: async warning => {
          throw new Error(warning.message)
        },
      },
      { target: 'https://example.org', scopeId: 'scope', keyDigest: null },
    )
    onTestFinished(() => store.close())
    return store
  }
}

it('what is sent to a publication is known at once, also where it was asked for before', () => {
  const store = openMachine()()
  expect(store.get('pub_1').size).toBe(0)
  store.put([{ publicationId: 'pub_1', values: [['title', 'One']], at: 1 }])
  expect(store.get('pub_1').get('title')).toEqual({ value: 'One', at: 1 })
  store.put([{ publicationId: 'pub_1', values: [['title', 'Two']], at: 2 }])
  expect(store.get('pub_1').get('title')).toEqual({ value: 'Two', at: 2 })
})

it('what another process has sent since is kept, also where it was asked for before', () => {
  const open = openMachine()
  const [store, other] = [open(), open()]
  expect(store.get('pub_1').size).toBe(0)
  other.put([{ publicationId: 'pub_1', values: [['title', 'Theirs']], at: 2 }])
  store.put([{ publicationId: 'pub_1', values: [['language', 'de']], at: 1 }])
  expect([...store.get('pub_1')]).toEqual([
    ['title', { value: 'Theirs', at: 2 }],
    ['language', { value: 'de', at: 1 }],
  ])
})

it('more publications are asked for than are remembered', () => {
  const store = openMachine()()
  const ids = Array.from({ length: 250 }, (_, number) => `pub_${number}`)
  store.put(ids.map(id => ({ publicationId: id, values: [['title', id]], at: 1 })))
  for (const id of [...ids, ...ids.toReversed()])
    expect(store.get(id).get('title')).toEqual({ value: id, at: 1 })
})
