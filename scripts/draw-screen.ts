import stringWidth from 'string-width'
import type { ScreenLine } from './screen.ts'

const [columnWidth, lineHeight, size, margin] = [8.4, 19, 14, 16]
const usual = '#d4d7dd'
const colours = ['#5c6370', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', usual]

/** Draws a terminal's screen as SVG, as wide as so many columns. */
export function drawScreen(lines: readonly ScreenLine[], columns: number, title: string): string {
  const width = Math.round(columns * columnWidth + 2 * margin)
  const height = lines.length * lineHeight + 2 * margin
  const drawn = lines.map((line, row) => drawLine(line, margin + (row + 0.75) * lineHeight))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="#1e2127"/>`,
    `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="${size}" fill="${usual}">`,
    ...drawn.filter(Boolean),
    '</g>',
    '</svg>\n',
  ].join('\n')
}

/**
 * Each word begins at its column, so that columns stay straight in whatever font the reader has, and whatever a browser does to
 * blanks.
 */
const drawLine = (line: ScreenLine, y: number): string =>
  line
    .flatMap(stretch => {
      const look = [
        stretch.isBold ? ' font-weight="bold"' : '',
        stretch.isDim ? ' opacity="0.6"' : '',
        stretch.colour === undefined ? '' : ` fill="${colours[stretch.colour % 8]}"`,
      ].join('')
      return [...stretch.text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: words, index }) => {
        const x = margin + (stretch.column + stringWidth(stretch.text.slice(0, index))) * columnWidth
        const long = (stringWidth(words) * columnWidth).toFixed(1)
        return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" textLength="${long}"${look}>${escaped(words)}</text>`
      })
    })
    .join('')

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
