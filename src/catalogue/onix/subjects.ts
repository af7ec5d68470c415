import { elementsIn, type OnixElement, valueIn } from './element.ts'

/** Subject schemes of list 27: BISAC subject headings, Thema categories and qualifiers, keywords. */
const bisac = '10'
const thema = ['93', '94', '95', '96', '97', '98', '99']
const keywords = '20'

/** The codes of BISAC and Thema, such as `BISAC FIC022000; Thema FFP; Thema 1DNS`. */
export const subjectsOf = (detail: OnixElement | undefined): string =>
  elementsIn(detail, 'Subject')
    .flatMap(subject => {
      const scheme = valueIn(subject, 'SubjectSchemeIdentifier')
      const code = valueIn(subject, 'SubjectCode')
      if (code === '' || !(scheme === bisac || thema.includes(scheme))) return []
      return [`${scheme === bisac ? 'BISAC' : 'Thema'} ${code}`]
    })
    .join('; ')

/** The keywords as they are written; they are separated by semicolons. */
export const keywordsOf = (detail: OnixElement | undefined): string =>
  elementsIn(detail, 'Subject')
    .filter(subject => valueIn(subject, 'SubjectSchemeIdentifier') === keywords)
    .map(subject => valueIn(subject, 'SubjectHeadingText'))
    .filter(Boolean)
    .join('; ')
