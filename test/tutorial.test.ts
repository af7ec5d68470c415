import { describe, expect, it } from 'vitest'
import { sectionOf } from './support/pages.ts'
import { drawScreen } from './support/picture.ts'
import { temporaryFolder } from './support/pubctl.ts'
import { type ScreenLine, screenAfter, textOf } from './support/screen.ts'

const columns = 80

interface Step {
  readonly command: string
  /** What the README says that it shows. */
  readonly shows: string
}

/** The command lines of the tutorial's console blocks, each with what is written below it. */
function tutorial(): Step[] {
  const blocks = sectionOf('README.md', '## Five minutes').matchAll(/^```console\n(.*?)^```$/gms)
  return [...blocks].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map(step => {
        const [command = '', ...shown] = step.split('\n')
        return { command, shows: shown.join('\n').trimEnd() }
      }),
  )
}

/** Ids, times and ports differ each time; all else is compared as it stands. */
const alike = (text: string): string =>
  text
    .replace(/\b(pub|ed|dom)_[0-9a-f]{20}\b/g, '$1_4f1b7c02a9d85e63b017')
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '5d0f9c3e-7a41-4b28-9e65-c1d2f3a4b586')
    .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d\b/g, '2026-01-01 00:00')

const prompt = (command: string): ScreenLine => [
  { text: '$ ', isBold: false, isDim: true, colour: undefined },
  { text: command, isBold: true, isDim: false, colour: undefined },
]

describe('the tutorial', () => {
  it('does and shows, line by line, what the README says', async () => {
    const steps = tutorial()
    expect(steps.length).toBeGreaterThan(8)
    const home = temporaryFolder()
    for (const { command, shows } of steps) {
      const { code, lines } = await screenAfter(command, { home, columns })
      const screen = lines.map(textOf).join('\n').replaceAll(home, '/home/you')
      expect(`$ ${command}\n${alike(screen)}`).toBe(`$ ${command}\n${alike(shows)}`)
      expect(code, command).toBe(0)
    }
  })
})

describe('the picture in the README', () => {
  it('is what the main job shows at a terminal', async () => {
    const home = temporaryFolder()
    const shown: ScreenLine[] = []
    const columns = 88
    for (const [index, command] of [
      'pubctl sandbox book first.epub --quiet',
      'pubctl --profile sandbox publications upload first.epub',
      'pubctl --profile sandbox publications list',
    ].entries()) {
      const { lines } = await screenAfter(command, { home, columns })
      if (index > 0) shown.push(prompt(command), ...lines, [])
    }
    const picture = drawScreen(shown.slice(0, -1), columns, 'Uploading a book with pubctl, and listing it')
    // Drawn anew by: npm run picture
    await expect(alike(picture)).toMatchFileSnapshot('../docs/main-job.svg')
  })
})
