import { expect, it } from 'vitest'
import { machine } from '../support/machine/pubctl.ts'

it('worker refuses --dry-run, since it cannot foretell what other workers leave, before it asks the database', async () => {
  const args = ['worker', '--dry-run', '--json', '--database', 'postgres://127.0.0.1:1/pubctl']
  const { code, err } = await machine({ PUBCTL_API_KEY: 'k'.repeat(40) }).run(args)
  expect(code).toBe(2)
  expect(JSON.parse(err).error.message).toBe('--dry-run does not work with a worker, which carries out steps')
})
