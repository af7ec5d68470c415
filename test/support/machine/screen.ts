import { type ScreenLine, screenOf } from '../../../scripts/screen.ts'
import { atTerminal } from './pseudo-terminal.ts'

/** Runs a shell line, which calls the program as `pubctl`, at a real terminal, and gives what the screen shows in the end. */
export async function screenAfter(
  command: string,
  { home, columns, env = {} }: { home: string; columns: number; env?: Record<string, string> },
): Promise<{ code: number; lines: ScreenLine[] }> {
  const { code, text } = await atTerminal(command, { home, columns, env }).ended()
  return { code, lines: await screenOf(text, columns) }
}
