import type { Problem } from '../../books/book.ts'
import { isOfEpubCheck } from '../../books/epubcheck/message-id.ts'
import { hintOf, isProblemCode } from '../../books/hints.ts'
import type { RuleSource } from '../../books/rules/index.ts'
import { type CheckedBy, checkedByText } from '../../system/checked-by.ts'
import { given } from '../../system/given.ts'

/** A rule of SARIF: what a kind of problem is called, and what to do about it. */
interface Descriptor {
  readonly id: string
  readonly help?: { readonly text: string }
  readonly helpUri?: string
}

/** Who finds problems: pubctl, another program, or rules that somebody wrote. */
interface Component {
  readonly facts: Readonly<Record<string, string>>
  readonly rules: Map<string, { readonly index: number; readonly descriptor: Descriptor }>
}

/** How a result says which rule it is of. */
type RuleReference =
  | { readonly ruleId: string; readonly ruleIndex: number }
  | {
      readonly ruleId: string
      readonly rule: {
        readonly id: string
        readonly index: number
        readonly toolComponent: { readonly index: number }
      }
    }

/**
 * The tool of a run, with the kinds of problems as its rules: those of pubctl are the driver's, those of other programs and of packs
 * and files of rules are extensions'.
 */
export function createTool(
  driver: Readonly<Record<string, string>>,
  sources: ReadonlyMap<string, RuleSource>,
) {
  const own: Component = { facts: driver, rules: new Map() }
  const extensions = new Map<string, Component>()
  const extension = (key: string, facts: Component['facts']): Component => {
    const known = extensions.get(key) ?? { facts, rules: new Map() }
    extensions.set(key, known)
    return known
  }
  const programOf = (by: CheckedBy): Component =>
    extension(checkedByText(by), {
      ...{ name: by.name, ...given({ version: by.version }) },
      fullName: checkedByText(by),
    })
  const componentOf = (code: string, checkedBy: readonly CheckedBy[]): Component => {
    const source = sources.get(code)
    if (source !== undefined) return extension(`rules ${source.from}`, { name: source.from })
    if (isProblemCode(code)) return own
    // The ids of Ace are words.
    const by = checkedBy.find(({ name }) => (name === 'EPUBCheck') === isOfEpubCheck.test(code))
    return by ? programOf(by) : own
  }
  return {
    /** Which rule a problem is of, in a book that others may have checked as well. */
    ruleOf({ code }: Pick<Problem, 'code'>, checkedBy: readonly CheckedBy[]): RuleReference {
      const component = componentOf(code, checkedBy)
      const { rules } = component
      const known = rules.get(code) ?? {
        index: rules.size,
        descriptor: descriptorOf(code, sources.get(code)),
      }
      rules.set(code, known)
      const { index } = known
      if (component === own) return { ruleId: code, ruleIndex: index }
      const toolComponent = { index: [...extensions.values()].indexOf(component) }
      return { ruleId: code, rule: { id: code, index, toolComponent } }
    },
    /** Names a program that has checked a book, whether it found anything or not. */
    checkedBy: (by: CheckedBy) => void programOf(by),
    get tool() {
      const written = ({ facts, rules }: Component) => ({
        ...facts,
        ...given({ rules: [...rules.values()].map(({ descriptor }) => descriptor) }),
      })
      return { driver: written(own), ...given({ extensions: [...extensions.values()].map(written) }) }
    },
  }
}

function descriptorOf(id: string, source: RuleSource | undefined): Descriptor {
  const text = source?.hint ?? (isProblemCode(id) ? hintOf(id) : undefined)
  return { id, ...(text !== undefined && { help: { text } }), ...(source?.link && { helpUri: source.link }) }
}
