import { exitCodes } from '../../src/system/errors.ts'
import type { Scenario, WantedPublication } from './scenarios.ts'
import type { HeldPublication, SimulatedService } from './service.ts'
import type { Ended } from './world.ts'

/** `isWhole`: whether it is the command that does all. Throws if what a run says of itself is not so: nothing is called done that is not, and nothing lost that is there. */
export function holdsAfter(
  { args, code, out, err }: Ended,
  scenario: Scenario,
  service: SimulatedService,
  isWhole: boolean,
): void {
  if (code === null) return
  const said = `${args.slice(0, 2).join(' ')} ended with ${code}: ${out}${err}`
  if (code === exitCodes.fault) throw new Error(`a fault of pubctl itself; ${said}`)
  for (const { outcome, publicationId, editionId, uploadStatus } of receiptsIn(out)) {
    if (outcome !== 'uploaded' && outcome !== 'skipped' && outcome !== 'updated') continue
    const publication = service.held().find(({ id }) => id === publicationId)
    const edition = publication?.editions.find(({ id }) => id === editionId)
    const wanted = scenario.wanted.find(({ title }) => title === publication?.title)
    if (!wanted?.editions.some(({ file }) => file === edition?.file))
      throw new Error(`a receipt calls ${outcome} what the service does not have; ${said}`)
    if (uploadStatus === 'available' && edition?.status !== 'available')
      throw new Error(`a receipt calls available what is ${edition?.status}; ${said}`)
  }
  if (code === exitCodes.done && isWhole) holdsAtEnd(scenario, service)
}

interface SaidReceipt {
  readonly outcome?: string
  readonly publicationId?: string
  readonly editionId?: string
  readonly uploadStatus?: string
}

function receiptsIn(out: string): SaidReceipt[] {
  if (!/^\s*[[{]/.test(out)) return []
  // One value, or one in each line.
  const values: unknown[] = /\}\n\{/.test(out)
    ? out
        .trim()
        .split('\n')
        .map(line => JSON.parse(line))
    : [JSON.parse(out)]
  return values.flat() as SaidReceipt[]
}

/** Throws unless the service has each book once, with its bytes, and nothing else. */
export function holdsAtEnd({ wanted }: Scenario, service: SimulatedService): void {
  const [has, should] = [service.held().map(shown), wanted.map(shownWanted)]
  const differs = JSON.stringify(has.sort()) !== JSON.stringify(should.sort())
  if (differs)
    throw new Error(`the service has ${has.join('; ') || 'nothing'}, and should have ${should.join('; ')}`)
}

/** Throws if the service has a book twice, or bytes that are those of no book. */
export function holdsAtMostOnce({ wanted }: Scenario, service: SimulatedService): void {
  for (const { title, editions } of service.held()) {
    const own = service.held().filter(each => each.title === title)
    const files = wanted.find(each => each.title === title)?.editions.map(({ file }) => file) ?? []
    const isStrange = editions.some(({ file }) => file !== null && !files.includes(file))
    if (own.length > 1 || isStrange) throw new Error(`the service has ${own.map(shown).join('; ')}`)
  }
}

const shown = ({ title, editions }: HeldPublication): string =>
  `"${title}": ${editions.map(({ status, file, cover }) => `${status} ${file}${cover === null ? '' : ` with cover ${cover}`}`).join(', ')}`

const shownWanted = ({ title, editions }: WantedPublication): string =>
  `"${title}": ${editions.map(({ file, cover }) => `available ${file}${cover === undefined ? '' : ` with cover ${cover}`}`).join(', ')}`
