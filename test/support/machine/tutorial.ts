import { expect } from 'vitest'
import { alike } from '../../../scripts/pictures.ts'
import { textOf } from '../../../scripts/screen.ts'
import { sectionOf } from './pages.ts'
import { temporaryFolder } from './pubctl.ts'
import { screenAfter } from './screen.ts'

interface Step {
  readonly command: string
  /** What the README says that it shows. */
  readonly shows: string
}

/** The command lines of the tutorial's console blocks, each with what is written below it. */
export function tutorial(): Step[] {
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
