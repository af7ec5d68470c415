/** SQLite's primary result code: the last byte of an extended one, for some of which the driver has no name. */
const kindOf = (error: unknown): number =>
  ((error as { rawCode?: number } | null)?.rawCode ?? kindOfOpening(error)) & 0xff

/** The code of a database that the driver could not open, which stands in its message alone. */
const kindOfOpening = (error: unknown): number =>
  Number(/^ConnectionFailed\(.*: (\d+)"\)$/.exec(error instanceof Error ? error.message : '')?.[1] ?? 0)

const codeOf = (error: unknown): string => (error as { code?: string } | null)?.code ?? ''

/** BUSY and LOCKED. */
const busy = [5, 6]
/**
 * CORRUPT, FORMAT and NOTADB; and ERROR, TOOBIG, CONSTRAINT and MISMATCH, which a file of another schema than its version says has for
 * statements that fit ours.
 */
const damaged = [11, 24, 26, 1, 18, 19, 20]
/** PERM, READONLY and CANTOPEN. */
const forbidden = [3, 8, 14]
/** IOERR and FULL. */
const full = [10, 13]

/** Whether another process has locked the file. */
export const isBusy = (error: unknown): boolean => busy.includes(kindOf(error))

export const isDamaged = (error: unknown): boolean => damaged.includes(kindOf(error))

/** Whether the cause is the file system, such as permissions or a full disk, and not the content of the file. */
export const isUnwritable = (error: unknown): boolean =>
  /^E[A-Z]+$/.test(codeOf(error)) || [...forbidden, ...full].includes(kindOf(error))

/** The hint for an error of the file system. */
export function remedyOf(error: unknown): string {
  const isForbidden = /^E(ACCES|PERM)$/.test(codeOf(error)) || forbidden.includes(kindOf(error))
  const isFull = /^E(NOSPC|DQUOT|FBIG)$/.test(codeOf(error)) || full.includes(kindOf(error))
  const first = isFull ? 'Make room there, or n' : isForbidden ? 'See that you may write there, or n' : 'N'
  return `${first}ame another folder in PUBCTL_DATA_DIR.`
}

/** The system's or SQLite's name of an error, or the message for an extended code that the driver has no name for. */
export const errorName = (error: unknown): string =>
  codeOf(error).startsWith('UNKNOWN') || codeOf(error) === '' ? (error as Error).message : codeOf(error)
