import { cutText } from '../cut-text.ts'
import { neutraliseLine } from './neutralise.ts'
import { serialise } from './serialise.ts'

/** How a column's values read on a terminal; elsewhere they are printed as they came. */
export type CellKind = 'text' | 'date' | 'bytes' | 'count' | 'part' | 'duration'

/** 1234567 → "1.2 MB"; decimal units, as file managers and S3 count. */
export function humanBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const amount = bytes / 1000 ** power
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${units[power]}`
}

/** 93000 → "1 min 33 s"; at most two units. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}

/** An ISO 8601 timestamp in the local time of this machine; anything else as it came. */
function humanDate(text: string): string {
  const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(instant)) return text
  const local = new Date(instant - new Date(instant).getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16).replace('T', ' ')
}

/** Whatever the service sent as text of one line: nothing for nothing, lists joined, objects as JSON. */
export function plain(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(plain).join('; ')
  return typeof value === 'object' ? serialise(value) : String(value)
}

/**
 * A value as a person reads it on a terminal. A value that is not what its kind expects is shown as it came. `hide` takes
 * the secrets out of it before it is cut.
 */
export function human(value: unknown, kind: CellKind = 'text', hide = (text: string) => text): string {
  return neutraliseLine(cutText(hide(formatted(value, kind))))
}

function formatted(value: unknown, kind: CellKind): string {
  if (Array.isArray(value)) return value.map(each => formatted(each, kind)).join('; ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isFinite(number)) {
    if (kind === 'bytes' && number >= 0) return humanBytes(number)
    if (kind === 'count' && number >= 1e4) return number.toLocaleString('en')
    if (kind === 'part') return `${Math.round(number * 100)} %`
    if (kind === 'duration') return humanDuration(number)
  }
  return kind === 'date' && typeof value === 'string' ? humanDate(value) : plain(value)
}
