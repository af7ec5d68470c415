import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Growth, growthFile, readGrowth } from '../test/bench/growth-figures.ts'
import { withSection } from '../test/bench/report.ts'
import { root } from './program.ts'

const [width, height, top, left, between] = [860, 300, 44, 56, 60]
const plot = { width: (width - 2 * left - between) / 2, height: height - top - 84 }
const colours = ['#2563eb', '#c2410c', '#15803d', '#7c3aed', '#111827']

/** The picture of how costs grow, and the table beside it, made of the figures that the bench wrote. */
export function growthFigures(): Map<string, string> {
  const [all, page] = [readGrowth(join(root, growthFile)), 'docs/architecture.md']
  return new Map([
    ['docs/growth.svg', draw(all)],
    [page, withSection(readFileSync(join(root, page), 'utf8'), 'growth', tableOf(all))],
  ])
}

/** What each of so many takes of the processor, and the most memory of all. */
function tableOf(all: readonly Growth[]): string {
  const counts = Object.keys(all[0]?.costs ?? {}).map(Number)
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    row(['each', ...counts.map(count => `of ${count.toLocaleString('en')}`)]),
    row(['---', ...counts.map(() => '---')]),
    ...all.map(({ name, costs }) =>
      row([
        name,
        ...Object.entries(costs).map(
          ([count, { milliseconds, peakMiB }]) =>
            `${(milliseconds / Number(count)).toPrecision(3)} ms, ${peakMiB} MiB`,
        ),
      ]),
    ),
  ].join('\n')
}

/** Two charts: the processor's time for each, and the memory of all, by how many there are. */
function draw(all: readonly Growth[]): string {
  const title = 'What each of 10, 100, 1,000 and 10,000 takes of the processor, and the memory of the program'
  const time = chartOf(
    all,
    left,
    'milliseconds of processor for each',
    (cost, count) => cost.milliseconds / count,
  )
  const memory = chartOf(all, left + plot.width + between, 'MiB of memory at most', cost => cost.peakMiB)
  const step = (width - 2 * left) / all.length
  const legend = all.map(
    ({ name }, index) =>
      `<text x="${(left + index * step).toFixed(1)}" y="${height - 14}" fill="${colours[index % colours.length]}">${name}</text>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${title}</title>`,
    '<rect width="100%" height="100%" rx="8" fill="#ffffff"/>',
    '<g font-family="system-ui,sans-serif" font-size="13" fill="#374151">',
    ...[...time, ...memory, ...legend],
    '</g>',
    '</svg>\n',
  ].join('\n')
}

type Value = (cost: Growth['costs'][number], count: number) => number

/** A chart whose axis across has a step for each power of ten, and whose axis up begins at 0. */
function chartOf(all: readonly Growth[], x: number, title: string, heightOf: Value): string[] {
  const lines = all.map(({ costs }) =>
    Object.entries(costs).map(([count, cost]) => [Number(count), heightOf(cost, Number(count))] as const),
  )
  const counts = [...new Set(lines.flat().map(([count]) => count))].sort((one, other) => one - other)
  const highest = roundUp(Math.max(...lines.flat().map(([, value]) => value)))
  const across = (count: number) => x + (counts.indexOf(count) / (counts.length - 1)) * plot.width
  const up = (value: number) => top + plot.height * (1 - value / highest)
  const grid = [0, 0.5, 1].map(part => {
    const y = up(part * highest).toFixed(1)
    return `<line x1="${x}" x2="${x + plot.width}" y1="${y}" y2="${y}" stroke="#e5e7eb"/><text x="${x - 6}" y="${y}" dy="4" text-anchor="end">${part * highest}</text>`
  })
  const steps = counts.map(
    count =>
      `<text x="${across(count).toFixed(1)}" y="${top + plot.height + 20}" text-anchor="middle">${count.toLocaleString('en')}</text>`,
  )
  const drawn = lines.map((line, index) => {
    const colour = colours[index % colours.length]
    const points = line.map(([count, value]) => `${across(count).toFixed(1)},${up(value).toFixed(1)}`)
    const dots = points.map(point => {
      const [cx, cy] = point.split(',')
      return `<circle cx="${cx}" cy="${cy}" r="3" fill="${colour}"/>`
    })
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}`
  })
  return [`<text x="${x}" y="24" font-weight="bold">${title}</text>`, ...grid, ...steps, ...drawn]
}

/** The next 1, 2 or 5 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5].find(step => step * power >= value) ?? 10) * power
}
