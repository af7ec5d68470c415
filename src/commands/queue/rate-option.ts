import { UsageFailure } from '../../system/errors.ts'

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }

/** `5/s`, `300/m` or `1000/h` as steps a second; null for `none`. */
export function parseRate(text: string): number | null {
  if (text === 'none') return null
  const [, count, unit] = /^(\d{1,9}(?:\.\d{1,3})?)\/([smh])$/.exec(text) ?? []
  if (count !== undefined && unit !== undefined && Number(count) > 0)
    return Number(count) / (seconds[unit] as number)
  throw new UsageFailure(`"${text}" is not a rate`, {
    hint: 'Write it like 5/s, 300/m or 1000/h; none removes the limit.',
  })
}
