import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isUnfitName } from '../../src/system/unfit-name.ts'
import { machine } from '../support/machine/pubctl.ts'

it.each([
  ['NUL', true],
  ['reports/aux.csv', true],
  ['reports\\Com1.tar.gz', true],
  ['con .txt', true],
  ['receipts.csv.', true],
  ['receipts.csv ', true],
  ['nullable.csv', false],
  ['com10.csv', false],
  ['.csv', false],
  ['D:\\auxiliary\\console.csv', false],
])('whether the name %s is unfit on Windows: %s', (path, isUnfit) => {
  expect(isUnfitName(path, 'win32')).toBe(isUnfit)
  expect(isUnfitName(path, 'linux')).toBe(false)
})

it.runIf(process.platform === 'win32')('a report is not written under the name of a device', async () => {
  const { run, home } = machine()
  const { code, err } = await run(['inspect', home, '--report', join(home, 'aux.csv')])
  expect({ code, err }).toEqual({
    code: 2,
    err: `error: cannot write ${join(home, 'aux.csv')}: Windows can keep no file of that name\n  Name another file.\n`,
  })
})
