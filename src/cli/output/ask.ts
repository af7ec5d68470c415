import { Interrupted, NobodyToAsk } from '../../system/errors.ts'
import { neutraliseLine } from './neutralise.ts'
import type { Writer } from './writer.ts'

interface Streams {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  readonly signal: AbortSignal
}

/** Asks the user questions. Each question names the flag that answers it where nobody can be asked. */
export interface Ask {
  readonly isPossible: boolean
  confirm(question: string, flag: string): Promise<boolean>
  text(
    question: string,
    flag: string,
    options?: { initial?: string; check?: (text: string) => true | string },
  ): Promise<string>
  secret(question: string, flag: string): Promise<string>
  choose<T extends string>(
    question: string,
    flag: string,
    choices: readonly { value: T; name: string }[],
  ): Promise<T>
}

/** A theme without colour, because the prompts ignore NO_COLOR. */
const same = (text: string) => text
const colourless = {
  prefix: { idle: '?', done: '✔' },
  style: {
    answer: same,
    message: same,
    help: same,
    highlight: same,
    description: same,
    error: (text: string) => `> ${text}`,
    defaultAnswer: (text: string) => `(${text})`,
    keysHelpTip: (keys: [key: string, action: string][]) => keys.map(each => each.join(' ')).join(' • '),
  },
}

/** `streams` is undefined when nobody can be asked: questions then throw NobodyToAsk. `hide` removes secrets from questions. */
export function createAsk(
  streams: Streams | undefined,
  { hide, hasColour }: Pick<Writer, 'hide' | 'hasColour'>,
): Ask {
  const theme = hasColour ? {} : { theme: colourless }
  const shown = (text: string) => hide(neutraliseLine(text))
  type Prompts = typeof import('./prompts.ts')
  async function ask<T>(
    question: string,
    flag: string,
    put: (prompts: Prompts, streams: Streams) => Promise<T>,
  ): Promise<T> {
    if (!streams) {
      throw new NobodyToAsk(
        `pubctl needs an answer to "${shown(question)}", and cannot ask here`,
        `Pass ${flag}.`,
      )
    }
    try {
      return await put(await import('./prompts.ts'), streams)
    } catch (error) {
      if (streams.signal.aborted) throw streams.signal.reason
      if (error instanceof Error && /ExitPromptError|AbortPromptError/.test(error.name))
        throw new Interrupted('SIGINT')
      throw error
    }
  }
  return {
    isPossible: streams !== undefined,
    confirm: (question, flag) =>
      ask(question, flag, ({ confirm }, on) =>
        confirm({ message: shown(question), default: false, ...theme }, on),
      ),
    text: (question, flag, { initial, check } = {}) =>
      ask(question, flag, ({ input }, on) =>
        input(
          {
            ...theme,
            message: shown(question),
            ...(initial === undefined ? {} : { default: shown(initial) }),
            validate: answer =>
              check ? check(answer) : answer.trim() !== '' || 'Type something, or press Ctrl-C.',
          },
          on,
        ),
      ),
    secret: (question, flag) =>
      ask(question, flag, ({ password }, on) =>
        password({ message: shown(question), mask: '•', ...theme }, on),
      ),
    choose: (question, flag, choices) =>
      ask(question, flag, ({ select }, on) =>
        select(
          {
            ...theme,
            message: shown(question),
            choices: choices.map(({ value, name }) => ({ value, name: shown(name) })),
          },
          on,
        ),
      ),
  }
}
