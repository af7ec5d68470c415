import type { ContentFacts, EntryFacts } from '../../content-facts.ts'
import { type MarkedKind, marks } from '../../marks.ts'
import { placeIn } from '../../position.ts'
import { flag, missed, range, someOf, texts } from '../parameters.ts'
import { type Predicate, predicate, type RuleFault } from '../predicate.ts'

const wordsOf = (kind: MarkedKind, mark: string): string =>
  (marks[kind] as Readonly<Record<string, string>>)[mark] ?? mark

const filesOf = ({ files }: ContentFacts, kind: MarkedKind): EntryFacts[] =>
  files.filter(file => file.kind === kind)

/** A predicate of what is counted in the pages, styles or scripts. */
const marked = <const Mark extends string>(kind: MarkedKind, names: readonly Mark[]): Predicate =>
  predicate({
    says: `What is in the ${kind}s of an EPUB, by the names of the table below.`,
    needs: 'content',
    parameters: {
      without: someOf(`what no ${kind} may have`, names, `the names of ${kind}s`),
      some: someOf(`what at least one ${kind} has to have`, names, `the names of ${kind}s`),
      every: someOf(
        `what every ${kind} has to have${kind === 'page' ? ', but the navigation document' : ''}`,
        names,
        `the names of ${kind}s`,
      ),
    },
    hint: `Correct the ${kind}.`,
    faults({ book: { content } }, { without = [], some = [], every = [] }) {
      if (content === undefined) return undefined
      const chosen = filesOf(content, kind)
      const faults = (wanted: readonly string[], fault: (mark: string, file: EntryFacts) => RuleFault[]) =>
        wanted.flatMap(mark => chosen.flatMap(file => fault(mark, file)))
      return [
        ...faults(without, (mark, { path, marks: found }) => {
          const { count = 0, ...at } = found?.get(mark) ?? { line: 1 }
          const times = count > 1 ? ` ${count} times` : ''
          return count === 0
            ? []
            : [{ message: `Here is${times} ${wordsOf(kind, mark)}.`, ...placeIn(path, at) }]
        }),
        ...some
          .filter(mark => !chosen.some(({ marks: found }) => found?.has(mark)))
          .map(mark => ({ message: `No ${kind} has ${wordsOf(kind, mark)}.` })),
        ...faults(every, (mark, { path, marks: found, isNavigation }) =>
          isNavigation || found?.has(mark)
            ? []
            : [{ message: `This ${kind} lacks ${wordsOf(kind, mark)}.`, place: path }],
        ),
      ]
    },
  })

const namesOf = (kind: MarkedKind): string[] => Object.keys(marks[kind])

export const pages = marked('page', namesOf('page'))
export const styles = marked('style', namesOf('style'))
export const scripts = marked('script', namesOf('script'))

export const alternatives = predicate({
  says: 'The alternative texts of the images in the pages.',
  needs: 'content',
  parameters: {
    missing: range('how many images have none'),
    emptyShare: range('which share of them is empty, from 0 to 1, as decoration has it'),
    fileNames: range('how many are the name of a file'),
  },
  hint: 'Write alternative texts that say what the images show.',
  faults({ book: { content } }, { missing, emptyShare, fileNames }) {
    if (content === undefined) return undefined
    const chosen = filesOf(content, 'page')
    const sum = (mark: string) =>
      chosen.reduce((all, { marks: found }) => all + (found?.get(mark)?.count ?? 0), 0)
    const firstOf = (mark: string) => {
      const file = chosen.find(({ marks: found }) => found?.has(mark))
      return file && placeIn(file.path, file.marks?.get(mark) ?? { line: 1 })
    }
    const found: RuleFault[] = []
    const [without, empty, named, all] = ['image-without-alt', 'alt-empty', 'alt-file-name', 'image'].map(
      sum,
    ) as [number, number, number, number]
    const most = missing && missed(missing, without)
    if (most)
      found.push({
        message: `${without} of ${all} images have no alternative text, not ${most}.`,
        ...firstOf('image-without-alt'),
      })
    const share = all === 0 ? 0 : Math.round((empty / all) * 100) / 100
    const wanted = emptyShare && missed(emptyShare, share)
    if (wanted)
      found.push({
        message: `${empty} of ${all} alternative texts are empty, which is a share of ${share}, not ${wanted}.`,
        ...firstOf('alt-empty'),
      })
    const names = fileNames && missed(fileNames, named)
    if (names)
      found.push({
        message: `${named} alternative texts are names of files, not ${names}.`,
        ...firstOf('alt-file-name'),
      })
    return found
  },
})

export const bookLanguages = predicate({
  says: 'The languages of the book and of its pages.',
  needs: 'content',
  parameters: {
    allowed: texts('the languages of the metadata that there may be, such as en; with any region'),
    everyPage: flag('whether every page has to name its language'),
    same: flag('whether a page has to name a language that the metadata names'),
  },
  hint: 'Write lang and xml:lang into the html element of each page.',
  faults({ book }, { allowed, everyPage, same }) {
    const { content } = book
    if (content === undefined && (everyPage || same)) return undefined
    const own = content?.metadata.get('dc:language')?.map(({ value }) => value) ?? [book.language ?? '']
    const bare = (tag: string) => tag.toLowerCase().split('-')[0]
    const found: RuleFault[] = []
    const others = own.filter(
      tag => tag !== '' && allowed && !allowed.some(each => bare(`${each}`) === bare(tag)),
    )
    if (others.length > 0)
      found.push({ message: `The language is ${others.join(', ')}, not ${allowed?.join(' or ')}.` })
    for (const { path: place, language, isNavigation } of content ? filesOf(content, 'page') : []) {
      if (language === undefined && everyPage && !isNavigation)
        found.push({ message: 'This page does not name its language.', place })
      if (language !== undefined && same && !own.some(tag => bare(tag) === bare(language)))
        found.push({ message: `This page is in ${language}, which the metadata does not name.`, place })
    }
    return found
  },
})
