import { cutText } from '../../system/cut-text.ts'
import { serialise } from '../../system/exact-json.ts'
import { neutraliseLine } from './neutralise.ts'

/** How a terminal shows the values of a column. Other outputs show values unchanged. */
export type CellKind = 'text' | 'date' | 'bytes' | 'count' | 'part' | 'duration'

/** 1234567 → "1.2 MB". Units are decimal, as in file managers and S3. */
export function humanBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const amount = bytes / 1000 ** power
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${units[power]}`
}

/** 93000 milliseconds → "1 min 33 s", with at most two units. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}

/** An ISO 8601 timestamp in the local time zone; any other text unchanged. */
function humanDate(text: string): string {
  const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(instant)) return text
  const local = new Date(instant - new Date(instant).getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16).replace('T', ' ')
}

/** Any JSON value as text: null as "", lists joined with "; ", objects as JSON. */
export function plain(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(plain).join('; ')
  return typeof value === 'object' ? serialise(value) : String(value)
}

/**
 * A value as a terminal shows it. A value that does not fit its kind is shown unchanged. `hide` removes secrets before the
 * text is cut.
 */
export function human(value: unknown, kind: CellKind = 'text', hide = (text: string) => text): string {
  return neutraliseLine(cutText(hide(formatted(value, kind))))
}

function formatted(value: unknown, kind: CellKind): string {
  if (Array.isArray(value)) {
    const texts = value.map(each => formatted(each, kind))
    return texts.some(Boolean) ? texts.join('; ') : ''
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isFinite(number)) {
    if (kind === 'bytes' && number >= 0) return humanBytes(number)
    if (kind === 'count') return number.toLocaleString('en')
    if (kind === 'part') return `${Math.round(number * 100)} %`
    if (kind === 'duration') return humanDuration(number)
  }
  return kind === 'date' && typeof value === 'string' ? humanDate(value) : plain(value)
}
