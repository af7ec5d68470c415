import { flag, missed, range, texts } from '../parameters.ts'
import { predicate, type RuleFault } from '../predicate.ts'

/** The parts of a book that readers look up, and that landmarks lead to. */
const lookedUp = ['glossary', 'bibliography', 'index']

export const tableOfContents = predicate({
  says: 'The table of contents, the landmarks and what older reading systems have in their place.',
  needs: 'content',
  parameters: {
    entries: range('how many entries the table of contents has'),
    depth: range('how many levels it has'),
    reached: range('the share of the pages of the spine that it leads to, from 0 to 1'),
    landmarks: texts('the landmarks that there have to be, such as toc and bodymatter'),
    landmarksOfParts: flag('whether a glossary, bibliography or index has to be a landmark'),
    guide: texts('the references that the guide has to have, such as cover and text'),
    anyGuide: flag('whether there has to be a guide where there are landmarks'),
    pageList: flag('whether the pages of the printed book have to be listed where they are marked'),
    pages: range('how many pages of the printed book are listed'),
    document: flag('whether there has to be a navigation document (EPUB 3)'),
    ncx: flag('whether there has to be an NCX, which older reading systems read'),
  },
  hint: 'Correct the table of contents.',
  faults({ book }, asked) {
    const { content } = book
    if (content === undefined) {
      const entries = asked.entries && missed(asked.entries, book.navigation.length)
      const isKnown = asked.entries !== undefined && Object.keys(asked).length === 1
      if (!isKnown) return undefined
      return entries
        ? [{ message: `The table of contents has ${book.navigation.length} entries, not ${entries}.` }]
        : []
    }
    const { contents: own, files } = content
    const found: RuleFault[] = []
    const says = (message: string) => void found.push({ message })
    const entries = asked.entries && missed(asked.entries, own.entries)
    if (entries) says(`The table of contents has ${own.entries} entries, not ${entries}.`)
    const depth = asked.depth && missed(asked.depth, own.depth)
    if (depth) says(`The table of contents has ${own.depth} levels, not ${depth}.`)
    const spine = files.filter(({ isInSpine }) => isInSpine).length
    const share = spine === 0 ? 0 : Math.round((own.reached.size / spine) * 100) / 100
    const reached = asked.reached && missed(asked.reached, share)
    if (reached)
      says(
        `The table of contents leads to ${own.reached.size} of ${spine} pages, which is a share of ${share}, not ${reached}.`,
      )
    for (const each of asked.landmarks ?? [])
      if (!own.landmarks.includes(`${each}`)) says(`There is no landmark ${each}.`)
    for (const part of asked.landmarksOfParts ? lookedUp : []) {
      const page = files.find(({ marks, isNavigation }) => !isNavigation && marks?.has(part))
      if (page && !own.landmarks.includes(part))
        found.push({ message: `This ${part} is no landmark.`, place: page.path })
    }
    for (const each of asked.guide ?? [])
      if (!own.guide.includes(`${each}`)) says(`The guide has no reference "${each}".`)
    if (asked.anyGuide && own.guide.length === 0 && own.landmarks.length > 0)
      says('There is no guide, though there are landmarks.')
    const breaks = files.find(({ marks }) => marks?.has('page-break'))
    if (asked.pageList && breaks && own.pages === 0)
      found.push({
        message: 'The pages of the printed book are marked, and are not listed.',
        place: breaks.path,
      })
    const pages = asked.pages && missed(asked.pages, own.pages)
    if (pages) says(`${own.pages} pages of the printed book are listed, not ${pages}.`)
    if (asked.document && !own.hasDocument) says('There is no navigation document.')
    if (asked.ncx && !own.hasNcx) says('There is no NCX.')
    return found
  },
})
