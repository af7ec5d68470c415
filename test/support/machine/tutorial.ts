import { expect } from 'vitest'
import { sectionOf } from './pages.ts'
import { temporaryFolder } from './pubctl.ts'
import { screenAfter, textOf } from './screen.ts'

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
export const alike = (text: string): string =>
  text
    .replace(/\b(pub|ed|dom)_[0-9a-f]{20}\b/g, '$1_4f1b7c02a9d85e63b017')
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '5d0f9c3e-7a41-4b28-9e65-c1d2f3a4b586')
    .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d\b/g, '2026-01-01 00:00')

/** Runs the tutorial at a terminal, in a home of its own, and compares each screen with what the README shows. */
export async function followTutorial(program?: string): Promise<void> {
  const steps = tutorial()
  expect(steps.length).toBeGreaterThan(8)
  const home = temporaryFolder()
  for (const { command, shows } of steps) {
    const { code, lines } = await screenAfter(command, { home, columns: 80, ...(program ? { program } : {}) })
    const screen = lines.map(textOf).join('\n').replaceAll(home, '/home/you')
    expect(`$ ${command}\n${alike(screen)}`).toBe(`$ ${command}\n${alike(shows)}`)
    expect(code, command).toBe(0)
  }
}
