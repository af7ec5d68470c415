import type { Writer } from '../../cli/output/writer.ts'

/** The characters that pictures consist of; each takes one cell. */
interface Glyphs {
  readonly full: string
  /** What the last cell of a bar may hold, from nothing to nearly full. */
  readonly parts: readonly string[]
  /** The bar of a span of time that is not over. */
  readonly running: string
  readonly axis: string
  readonly corner: string
  readonly line: string
  readonly tick: string
  /** Stands for a figure that is missing. */
  readonly none: string
  /** Marks where a text was cut. */
  readonly cut: string
  /** Stands between the first and the last of something. */
  readonly to: string
  /** From none to most. */
  readonly shades: readonly string[]
  /** From none to most. */
  readonly levels: readonly string[]
}

const unicode: Glyphs = {
  full: '█',
  parts: ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'],
  running: '▒',
  axis: '│',
  corner: '└',
  line: '─',
  tick: '┴',
  none: '–',
  cut: '…',
  to: '–',
  shades: ['·', '░', '▒', '▓', '█'],
  levels: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
}

const ascii: Glyphs = {
  full: '#',
  parts: [''],
  running: '=',
  axis: '|',
  corner: '+',
  line: '-',
  tick: '+',
  none: '-',
  cut: '...',
  to: '-',
  shades: ['.', ':', '+', '*', '#'],
  levels: ['_', '.', '-', ':', '=', '+', '*', '#'],
}

/** What a picture is drawn with. Its texts must be free of control characters already. */
export interface Ink {
  /** In cells. */
  readonly width: number
  readonly glyphs: Glyphs
  readonly paint: Writer['paint']
}

/** The width of a picture that is not drawn at a terminal. */
const usualWidth = 80

/** What a picture is drawn with on this output. `columns` is its width, if it is no terminal and somebody says so. */
export function inkOf(out: Writer, columns: string | undefined): Ink {
  const wanted = /^[1-9]\d{0,3}$/.test(columns ?? '') ? Number(columns) : usualWidth
  return {
    width: Number.isFinite(out.width) ? out.width : wanted,
    glyphs: out.isUnicode ? unicode : ascii,
    paint: out.paint,
  }
}
