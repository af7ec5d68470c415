import vm from 'node:vm'

/** How long the rules may take for a book, in milliseconds. */
const most = 5000

/** Whether a text can be read as an expression, with the flag `u`. */
export function isExpression(source: string): boolean {
  try {
    new RegExp(source, 'u')
    return true
  } catch {
    return false
  }
}

const compiled = new Map<string, RegExp>()

/** Whether a text matches an expression of a rule; of a text longer than any name or value, its beginning counts. */
export function matches(source: string, text: string): boolean {
  let expression = compiled.get(source)
  if (expression === undefined) {
    expression = new RegExp(source, 'u')
    compiled.set(source, expression)
  }
  return expression.test(text.slice(0, 2000))
}

const context = vm.createContext({ work: undefined })
const script = new vm.Script('work()')

/**
 * Does something in which expressions of rules are asked, and stops it after five seconds: an expression can take years for
 * a text that was made for it, and nothing else stops one. Undefined if it was stopped.
 */
export function inTime<T>(work: () => T): { readonly value: T } | undefined {
  context['work'] = work
  try {
    return { value: script.runInContext(context, { timeout: most }) as T }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  } finally {
    context['work'] = undefined
  }
}
