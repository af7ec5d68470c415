import { elementsIn, type OnixElement, valueIn, valuesIn } from './element.ts'
import type { OnixName } from './names.ts'

/** Contributor role of list 17: by (author). */
const author = 'A01'

/** Joins two parts of a name or title; nothing comes after an apostrophe, as in "L'Étranger". */
export const joined = (parts: readonly string[]): string =>
  parts
    .filter(Boolean)
    .reduce((all, part) => (all === '' || /['’ʼ]$/.test(all) ? all + part : `${all} ${part}`), '')

const partsOfName = [
  ...['TitlesBeforeNames', 'NamesBeforeKey', 'PrefixToKey', 'KeyNames', 'NamesAfterKey', 'SuffixToKey'],
  ...['LettersAfterNames', 'TitlesAfterNames'],
] as readonly OnixName[]

/** Unnamed persons of list 19 that stand on a title page. */
const unnamed: Readonly<Record<string, string>> = { '02': 'Anonymous', '04': 'Various authors' }

const authorNameOf = (contributor: OnixElement): string =>
  nameOf(contributor) || (unnamed[valueIn(contributor, 'UnnamedPersons')] ?? '')

/** The name as it would stand on a title page; empty if there is none. It is never split or turned around. */
export const nameOf = (contributor: OnixElement): string =>
  valueIn(contributor, 'PersonName') ||
  (valueIn(contributor, 'KeyNames') && joined(partsOfName.map(part => valueIn(contributor, part)))) ||
  valueIn(contributor, 'PersonNameInverted') ||
  valueIn(contributor, 'CorporateName') ||
  valueIn(contributor, 'CorporateNameInverted')

/** The authors, people and organisations, by their sequence numbers; those without a number come last. */
export const authorsOf = (detail: OnixElement | undefined): string[] =>
  elementsIn(detail, 'Contributor')
    .filter(contributor => valuesIn(contributor, 'ContributorRole').includes(author))
    .map(contributor => ({ name: authorNameOf(contributor), place: sequenceOf(contributor) }))
    .sort((a, b) => a.place - b.place)
    .flatMap(({ name }) => (name === '' ? [] : [name]))

const sequenceOf = (contributor: OnixElement): number =>
  Number(valueIn(contributor, 'SequenceNumber') || Number.MAX_SAFE_INTEGER) || 0
