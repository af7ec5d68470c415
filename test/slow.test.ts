import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('npm run check:slow runs every test that does more then', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .map(file => `test/${file.replaceAll('\\', '/')}`)
    .filter(file => file.endsWith('.test.ts') && file !== 'test/slow.test.ts')
  const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
  const [, run = ''] = scripts['check:slow'].split(' vitest run ')
  expect(run.split(' ').sort()).toEqual(
    files
      .filter(file =>
        readFileSync(join(import.meta.dirname, '..', file), 'utf8').includes('/support/slow.ts'),
      )
      .sort(),
  )
})
