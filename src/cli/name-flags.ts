import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { Failure, UsageFailure } from '../system/errors.ts'
import { notOneOf } from './one-of.ts'

/** The option or argument that a field of a request comes from, where it has another name than the field. */
const optionNames: Readonly<Record<string, string>> = {
  'edition.title': 'title',
  'edition.author': 'author',
  'edition.metadata.isbn': 'isbn',
  'edition.metadata.publisher': 'publisher',
  'edition.metadata': 'metadata',
  'edition.type': 'file',
  publicationFilename: 'file',
  coverFilename: 'cover',
  sampleItems: 'sampleItem',
  isForInternalReadingInstance: 'internal',
  collectionIds: 'collection',
  collectionId: 'collection',
  statuses: 'status',
  formats: 'format',
  sortBy: 'sort',
  sortDirection: 'desc',
  searchTerm: 'search',
  scopes: 'scope',
}

/** Adds to each detail of a validation error the flag or argument of the command that it is about. */
export function nameFlags(error: unknown, command: CommandUnknownOpts): void {
  if (!(error instanceof Failure)) return
  for (const detail of error.details ?? []) {
    const flag = detail.path && flagOf(detail.path, command)
    if (flag !== undefined) detail.flag = flag
  }
}

function flagOf(path: readonly (string | number)[], command: CommandUnknownOpts): string | undefined {
  const names = path.filter(step => typeof step === 'string')
  for (let length = names.length; length > 0; length--) {
    const field = names.slice(0, length).join('.')
    const name = optionNames[field] ?? field
    const option = command.options.find(option => option.attributeName() === name)
    if (option) return option.long ?? option.flags
    if (command.registeredArguments.some(argument => argument.name() === name)) return `<${name}>`
  }
  return undefined
}

/** Adds the name of the option to errors in its value, for a command and all commands below it. */
export function nameOptionsInErrors(command: CommandUnknownOpts): void {
  for (const option of command.options) {
    const { parseArg: parse, argChoices: choices, long = option.flags } = option
    if (!parse || wrapped.has(option)) continue
    wrapped.add(option)
    option.parseArg = (value: string, previous: unknown) => {
      try {
        return parse(value, previous as never)
      } catch (error) {
        if (error instanceof UsageFailure) throw withFlag(long, error)
        // By commander's own words, errors in values would be of two kinds.
        throw choices ? withFlag(long, notOneOf(choices, value)) : error
      }
    }
  }
  for (const each of command.commands) nameOptionsInErrors(each)
}

const wrapped = new WeakSet<object>()

const withFlag = (flag: string, { message, code, hint }: UsageFailure): UsageFailure =>
  new UsageFailure(`${flag}: ${message}`, { code, ...(hint === undefined ? {} : { hint }) })
