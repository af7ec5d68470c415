import headless from '@xterm/headless'

/** A run of characters that look alike. */
interface Stretch {
  readonly text: string
  /** Where it begins, and how many cells it takes. */
  readonly column: number
  readonly width: number
  readonly isBold: boolean
  readonly isDim: boolean
  /** One of the eight colours of a terminal; none for its usual one. */
  readonly colour: number | undefined
}

/** What a line of the screen shows. */
export type ScreenLine = readonly Stretch[]

export const textOf = (line: ScreenLine): string => line.map(({ text }) => text).join('')

/** What a screen of so many columns shows of a text in the end. */
export async function screenOf(text: string, columns: number): Promise<ScreenLine[]> {
  const terminal = new headless.Terminal({ cols: columns, rows: 400, allowProposedApi: true })
  await new Promise<void>(resolve => terminal.write(text.replaceAll('\n', '\r\n'), resolve))
  const { active } = terminal.buffer
  const lines = Array.from({ length: active.length }, (_, index) => stretches(active.getLine(index), columns))
  while (lines.length > 0 && textOf(lines.at(-1) ?? []) === '') lines.pop()
  return lines
}

type Line = ReturnType<headless.IBuffer['getLine']>

function stretches(line: Line, columns: number): ScreenLine {
  const found: Stretch[] = []
  // A text is no measure: wide characters take two cells, and combining ones none.
  let width = columns
  while (width > 0 && (line?.getCell(width - 1)?.getChars() ?? '').trim() === '') {
    if (line?.getCell(width - 1)?.getWidth() === 0) break
    width--
  }
  for (let column = 0; column < width; column++) {
    const cell = line?.getCell(column)
    if (cell === undefined || cell.getWidth() === 0) continue
    const look = {
      isBold: cell.isBold() !== 0,
      isDim: cell.isDim() !== 0,
      colour: cell.isFgDefault() ? undefined : cell.getFgColor(),
    }
    const [text, cells] = [cell.getChars() || ' ', cell.getWidth()]
    const last = found.at(-1)
    if (last && last.isBold === look.isBold && last.isDim === look.isDim && last.colour === look.colour)
      found[found.length - 1] = { ...last, text: last.text + text, width: last.width + cells }
    else found.push({ text, column, width: cells, ...look })
  }
  return found
}
