import type { Context } from '../cli/context.ts'
import type { Ink } from './chart/ink.ts'

/** What a picture of an answer is made with. */
export interface Drawing {
  readonly ink: Ink
  /** Milliseconds since 1970. */
  readonly now: number
  /** Removes secrets. */
  readonly hide: (text: string) => string
}

/** Prints the lines of a picture, which must be free of control characters but for colours of the ink. */
export async function draw(
  { out, world }: Pick<Context, 'out' | 'world'>,
  linesOf: (drawing: Drawing) => readonly string[],
): Promise<void> {
  const { inkOf } = await import('./chart/ink.ts')
  const ink = inkOf(out, world.env['COLUMNS'])
  await out.styled(
    linesOf({ ink, now: world.clock.now(), hide: out.hide })
      .map(line => `${line}\n`)
      .join(''),
  )
}
