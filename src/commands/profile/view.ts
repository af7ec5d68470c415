import type { View } from '../../cli/output/view.ts'
import { maskKey } from '../../config/mask.ts'
import { type Profile, sandboxName } from '../../config/profile.ts'

const fields = [
  'name',
  'baseUrl',
  'isCurrent',
  'key',
  'keyCommand',
  'allowHttp',
  'multiValue',
  'rules',
  'epubcheck',
  'keyStored',
] as const
export const view: View = {
  columns: [
    { field: 'name', isCutLast: true },
    { field: 'baseUrl' },
    { field: 'isCurrent' },
    { field: 'key', isCutLast: true },
    { field: 'keyCommand', isDetail: true },
    { field: 'allowHttp', isDetail: true },
    { field: 'multiValue', isDetail: true },
    { field: 'rules', isDetail: true },
    { field: 'epubcheck', isDetail: true },
    { field: 'keyStored', isCutLast: true },
  ],
  fields: () => new Set(fields),
  empty: 'There are no profiles.',
}

/** A profile as it is shown. It does not read the keychain, which the user might have to unlock. */
export const shown = (name: string, profile: Profile, isCurrent: boolean) => ({
  name,
  baseUrl: profile.baseUrl,
  isCurrent,
  key: profile.apiKey === undefined ? null : maskKey(profile.apiKey),
  keyCommand: profile.keyCommand ?? null,
  allowHttp: profile.allowHttp ?? false,
  multiValue: profile.multiValue ?? 'repeat',
  rules: profile.rules ?? [],
  epubcheck: profile.epubcheck ?? false,
  keyStored: keyStored(profile),
})

export function keyStored({ apiKey, keyCommand, keychain }: Profile): 'keychain' | 'file' | 'command' | null {
  if (keychain !== undefined) return 'keychain'
  if (keyCommand !== undefined) return 'command'
  return apiKey === undefined ? null : 'file'
}

export const shownSandbox = (isCurrent: boolean) => ({
  name: sandboxName,
  baseUrl: null,
  isCurrent,
  key: null,
  keyCommand: null,
  allowHttp: false,
  multiValue: 'repeat',
  rules: [],
  epubcheck: false,
  keyStored: null,
})
