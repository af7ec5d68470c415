import { expect, it } from 'vitest'
import { createReachability } from '../../src/service/client/reachability.ts'

const name = 'the service'

/** The reach of a host, and a clock that is set by hand, in seconds. */
function reaching() {
  let seconds = 1000
  const reach = createReachability({ monotonic: () => seconds * 1000 })
  const after = (more: number) => {
    seconds += more
  }
  return { ...reach, after }
}

it('a host that never answered is given up after 25 seconds, which limit its attempts', () => {
  const { left, failed, after } = reaching()
  expect(left(name)).toBe(25_000)
  after(10)
  expect(() => failed(name, 'refused')).not.toThrow()
  expect(left(name)).toBe(15_000)
  after(14.9)
  expect(() => failed(name, 'refused')).not.toThrow()
  after(0.1)
  expect(left(name)).toBe(1)
  expect(() => failed(name, 'refused')).toThrow(
    expect.objectContaining({
      ...{ code: 'unreachable', exitCode: 8 },
      message: 'nothing has come from the service for 25 s, so no further file is tried (refused)',
      hint: 'Check the address and the network, then go on: pubctl uploads resume',
    }),
  )
})

it('a host that was given up gets the same time again where somebody goes on, and is given up at once', () => {
  const { left, failed, reached, tryAgain, after } = reaching()
  expect(left(name)).toBe(25_000)
  after(60)
  expect(left(name)).toBe(1)
  tryAgain()
  expect(left(name)).toBe(25_000)
  after(5)
  expect(left(name)).toBe(20_000)
  expect(() => failed(name, 'refused')).toThrow('nothing has come from the service for 65 s')
  reached(name)
  expect(left(name)).toBe(Number.POSITIVE_INFINITY)
})

it('a host that answered before is given up after two minutes of failures', () => {
  const { left, reached, failed, after } = reaching()
  reached(name)
  after(1000)
  expect(left(name)).toBe(Number.POSITIVE_INFINITY)
  expect(() => failed(name, 'cut')).not.toThrow()
  expect(left(name)).toBe(Number.POSITIVE_INFINITY)
  after(119)
  expect(() => failed(name, 'cut')).not.toThrow()
  after(1)
  expect(() => failed(name, 'cut')).toThrow('for 120 s')
})

it('an answer ends the failures before it, and each host has its own', () => {
  const { left, reached, failed, after } = reaching()
  failed(name, 'cut')
  after(20)
  reached(name)
  after(20)
  expect(() => failed(name, 'cut')).not.toThrow()
  expect(left('the store')).toBe(25_000)
  after(30)
  expect(() => failed('the store', 'cut')).toThrow('nothing has come from the store for 30 s')
  expect(() => failed(name, 'cut')).not.toThrow()
})

it('without free files, others are waited for until no host has been reached for ten seconds', () => {
  const { reached, waitsForHandles, after } = reaching()
  expect(waitsForHandles(name)).toBe(true)
  after(9)
  expect(waitsForHandles(name)).toBe(true)
  reached('the store')
  after(100)
  expect(waitsForHandles(name)).toBe(true)
  after(10)
  expect(waitsForHandles(name)).toBe(false)
  reached('the store')
  expect(waitsForHandles('the store')).toBe(true)
  expect(waitsForHandles(name)).toBe(false)
  reached(name)
  expect(waitsForHandles(name)).toBe(true)
})
