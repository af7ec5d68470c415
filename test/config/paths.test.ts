import { describe, expect, it } from 'vitest'
import { maskKey } from '../../src/config/mask.ts'
import { directoriesOf } from '../../src/config/paths.ts'

const linux = { home: '/home/ada', platform: 'linux' } as const
const windows = { home: 'C:\\Users\\Ada', platform: 'win32' } as const

describe("pubctl's folders", () => {
  it('lie where XDG puts them', () => {
    expect(directoriesOf({ ...linux, env: {} })).toEqual({
      configDir: '/home/ada/.config/pubctl',
      dataDir: '/home/ada/.local/share/pubctl',
      cacheDir: '/home/ada/.cache/pubctl',
    })
  })

  it('follow the XDG variables', () => {
    const env = { XDG_CONFIG_HOME: '/x/config', XDG_DATA_HOME: '/x/data', XDG_CACHE_HOME: '/x/cache' }
    expect(directoriesOf({ ...linux, env })).toEqual({
      configDir: '/x/config/pubctl',
      dataDir: '/x/data/pubctl',
      cacheDir: '/x/cache/pubctl',
    })
  })

  it.each(['', 'relative/folder'])(
    'do not follow an XDG variable of %j, as its specification says',
    value => {
      expect(directoriesOf({ ...linux, env: { XDG_CONFIG_HOME: value } }).configDir).toBe(
        '/home/ada/.config/pubctl',
      )
    },
  )

  it('lie in the application data on Windows', () => {
    const env = { APPDATA: 'D:\\Roaming', XDG_CONFIG_HOME: '/x' }
    expect(directoriesOf({ ...windows, env })).toEqual({
      configDir: 'D:\\Roaming\\pubctl\\Config',
      dataDir: 'C:\\Users\\Ada\\AppData\\Local\\pubctl\\Data',
      cacheDir: 'C:\\Users\\Ada\\AppData\\Local\\pubctl\\Cache',
    })
  })

  it("are those that pubctl's own variables name, before all others", () => {
    const env = {
      PUBCTL_CONFIG_DIR: '/p/c',
      PUBCTL_DATA_DIR: '/p/d',
      PUBCTL_CACHE_DIR: '/p/k',
      XDG_DATA_HOME: '/x',
    }
    expect(directoriesOf({ ...linux, env })).toEqual({ configDir: '/p/c', dataDir: '/p/d', cacheDir: '/p/k' })
  })

  it.each(['PUBCTL_CONFIG_DIR', 'PUBCTL_DATA_DIR', 'PUBCTL_CACHE_DIR'])(
    'are refused while %s is set but empty',
    name => {
      expect(() => directoriesOf({ ...linux, env: { [name]: '' } })).toThrow(`${name} is set but empty`)
    },
  )

  it.each(['PUBCTL_CONFIG_DIR', 'PUBCTL_DATA_DIR', 'PUBCTL_CACHE_DIR'])(
    'are refused while %s holds a relative path',
    name => {
      expect(() => directoriesOf({ ...linux, env: { [name]: './here' } })).toThrow(
        `${name} is "./here", which is not an absolute path`,
      )
    },
  )

  it.each(['', '.', 'home/ada'])('are refused in a home of %j', home => {
    expect(() => directoriesOf({ ...linux, home, env: {} })).toThrow(
      `the home folder is "${home}", which is not an absolute path`,
    )
  })
})

describe('a masked key', () => {
  it('shows both ends of a long key', () => {
    expect(maskKey('pk_live_0123456789abcdef')).toBe('pk_l****cdef')
  })

  it.each(['', 'k', 'short', 'nineteen-characters'])('shows nothing of %j, not even its length', key => {
    expect(maskKey(key)).toBe('****')
  })
})
