import { expect, inject, it } from 'vitest'
import { loadDriver } from '../../src/system/database-driver.ts'

it('the sandbox that tests get copies of has no port, which two of them would listen on', () => {
  const db = new (loadDriver())(inject('newSandbox'), { readonly: true })
  try {
    const names = db.prepare('SELECT name FROM settings ORDER BY name').pluck().all()
    expect(names).toContain('secret')
    expect(names).not.toContain('port')
  } finally {
    db.close()
  }
})
