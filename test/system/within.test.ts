import { sep } from 'node:path'
import { expect, it } from 'vitest'
import { isBelow, isWithin } from '../../src/system/within.ts'

const at = (path: string): string => path.replaceAll('/', sep)

it.each([
  ['the folder itself', '/a/b', { within: true, below: false }],
  ['a file in it', '/a/b/c', { within: true, below: true }],
  ['a file whose name begins with two dots', '/a/b/..c', { within: true, below: true }],
  ['a file that is reached through it alone', '/a/b/../c', { within: false, below: false }],
  ['the folder above', '/a', { within: false, below: false }],
  ['a folder whose name begins like it', '/a/bc', { within: false, below: false }],
])('%s is told from what is in a folder and below it', (_, path, { within, below }) => {
  expect(isWithin(at('/a/b'), at(path))).toBe(within)
  expect(isBelow(at('/a/b'), at(path))).toBe(below)
})
