import { describe, expect, it } from 'vitest'
import { gone, refusalOf, sandbox, zodError } from '../support/servers/sandbox.ts'

describe('API keys', () => {
  it("are the caller's own; another user's are as if they did not exist", async () => {
    const service = await sandbox()
    const { items } = await service.ok('GET', '/v1/apikeys')
    expect(items.map(({ id }: { id: string }) => id)).toEqual([
      'key_full',
      'key_read_only',
      'key_inactive',
      'key_expired',
    ])
    expect(JSON.stringify(items)).not.toContain(service.key('full'))
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? {} : undefined
      expect(await refusalOf(service, method, '/v1/apikeys/key_editor', body)).toEqual(gone)
    }
  })

  it('change at once in name, scopes and status', async () => {
    const service = await sandbox()
    const path = '/v1/apikeys/key_inactive'
    const { item } = await service.ok('PATCH', path, {
      name: 'n',
      scopes: ['read', 'read'],
      status: 'active',
    })
    expect(item).toMatchObject({
      name: 'n',
      scopes: ['read'],
      status: 'active',
      revoked: null,
      expires: null,
    })
    expect((await service.call('GET', '/v1/users', undefined, service.key('inactive'))).status).toBe(200)
    expect((await service.ok('PATCH', path, {})).item).toMatchObject({ name: 'n', status: 'active' })
    expect(await refusalOf(service, 'PATCH', path, { scopes: ['admin'] })).toEqual(zodError)
  })

  it('can be deleted, the one in use as well, and then stop working', async () => {
    const service = await sandbox()
    expect((await service.ok('DELETE', '/v1/apikeys/key_full')).item.id).toBe('key_full')
    expect((await service.call('GET', '/v1/users')).status).toBe(401)
  })
})

describe('users', () => {
  it('are found by any part of name or address', async () => {
    const { ok } = await sandbox()
    const found = async (term: string) =>
      (await ok('GET', `/v1/users?searchTerm=${encodeURIComponent(term)}`)).items.map(
        ({ id }: { id: string }) => id,
      )
    expect(await found('')).toEqual(['user_ada', 'user_emil', 'user_vera', 'user_rosa'])
    expect(await found('ZAK')).toEqual(['user_emil'])
    expect(await found('ada ber')).toEqual(['user_ada'])
    expect(await found('@publisher')).toHaveLength(4)
    expect(await found('nobody')).toEqual([])
  })

  it('delete themselves, and their keys stop working', async () => {
    const service = await sandbox()
    expect((await service.ok('DELETE', '/v1/users')).result).toEqual({ success: true, error: '' })
    for (const name of ['full', 'read-only']) {
      expect((await service.call('GET', '/v1/users', undefined, service.key(name))).status).toBe(401)
    }
  })
})
