import { expect, it } from 'vitest'
import { openSharedMemory } from '../../src/uploads/reading/shared-memory.ts'

const mebibyte = 1024 * 1024

const memoryOf = ({ buffer }: Buffer): SharedArrayBuffer | undefined =>
  buffer instanceof SharedArrayBuffer ? buffer : undefined

it('memory that comes back is used again for what fits into it, and for nothing else', () => {
  const { take, takeBack } = openSharedMemory()
  const [small, large] = [take(100_000), take(200_000)].map(memoryOf)
  if (!small || !large) throw new Error('it is shared')
  takeBack([large, small])
  expect(memoryOf(take(150_000))).toBe(large)
  expect(memoryOf(take(150_000))).not.toBe(small)
  expect(memoryOf(take(small.byteLength))).toBe(small)
  expect(take(99_999)).toHaveLength(99_999)
})

it('as much is shared as is kept of books, and the rest is not; what is too small makes room', () => {
  const { take, takeBack } = openSharedMemory()
  const all = Array.from({ length: 32 }, () => take(mebibyte / 2))
  expect(all.every(memoryOf)).toBe(true)
  expect(memoryOf(take(1))).toBeUndefined()
  takeBack(all.slice(0, 2).flatMap(each => memoryOf(each) ?? []))
  expect(memoryOf(take(mebibyte))?.byteLength).toBe(mebibyte)
  expect(memoryOf(take(mebibyte / 2))).toBeUndefined()
})
