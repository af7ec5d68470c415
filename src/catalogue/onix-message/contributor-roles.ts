import type { Creator } from '../../books/book.ts'
import { isSameText } from '../../plan/match.ts'

/** Codes of list 17 by the MARC relators that mean the same (https://id.loc.gov/vocabulary/relators.html). */
const byRelator: Readonly<Record<string, string>> = {
  abr: 'B04',
  adp: 'B05',
  aft: 'A19',
  ann: 'A20',
  art: 'A07',
  aui: 'A24',
  aut: 'A01',
  cmp: 'A06',
  com: 'C01',
  cov: 'A36',
  ctb: 'A32',
  ctg: 'A39',
  edt: 'B01',
  ill: 'A12',
  lbt: 'A04',
  lyr: 'A05',
  nrt: 'E07',
  pht: 'A13',
  trl: 'B06',
  waw: 'A19',
  wfw: 'A23',
  win: 'A24',
  wpr: 'A15',
}

export interface Contributor {
  readonly name: string
  /** The name to sort by, as the file has it. */
  readonly inverted?: string
  /** Codes of list 17. */
  readonly roles: readonly string[]
  /** A code of list 19 of a maker that is no person and has no name. */
  readonly artificial?: string
}

/**
 * The contributors: the authors as the service has them, with the further roles that the file gives them, and then those of
 * the file in other roles. A role that list 17 has no code for is not said.
 */
export function contributorsOf(authors: readonly string[], creators: readonly Creator[]): Contributor[] {
  const others = creators
    .map(({ name }) => name)
    .filter((name, index, all) => !authors.some(is(name)) && all.findIndex(is(name)) === index)
    .map(name => contributorOf(name, creators, []))
    .map(each => ({ ...each, roles: each.roles.filter(role => role !== author) }))
  return [
    ...authors.map(name => contributorOf(name, creators, [author])),
    ...others.filter(({ roles }) => roles.length > 0),
  ]
}

const author = 'A01'

const is = (name: string) => (other: string) => isSameText(other, name)

function contributorOf(name: string, creators: readonly Creator[], first: readonly string[]): Contributor {
  const same = creators.filter(each => isSameText(each.name, name))
  const roles = same.flatMap(each => each.roles.flatMap(relator => byRelator[relator] ?? []))
  const inverted = same.map(({ fileAs }) => fileAs).find(fileAs => fileAs?.includes(','))
  return { name, roles: [...new Set([...first, ...roles])], ...(inverted !== undefined && { inverted }) }
}
