import { matches } from '../expression.ts'
import { flag, missed, pattern, range, texts } from '../parameters.ts'
import { predicate, type RuleFault } from '../predicate.ts'

export const accessibility = predicate({
  says: 'What the metadata of an EPUB says of its accessibility.',
  needs: 'content',
  parameters: {
    modes: flag('whether it has to say how it is perceived (accessMode)'),
    sufficient: flag('whether it has to say which ways suffice (accessModeSufficient)'),
    features: texts('the features that it has to name (accessibilityFeature)'),
    anyFeature: flag('whether it has to name a feature'),
    hazards: flag('whether it has to say something of hazards (accessibilityHazard)'),
    summary: range('how many characters its summary has (accessibilitySummary)'),
    conformsTo: pattern('what a standard that it follows has to match (dcterms:conformsTo)'),
    certified: flag('whether it has to say who certified it (a11y:certifiedBy)'),
  },
  hint: 'Write what is true of the book into its metadata: https://www.w3.org/TR/epub-a11y-11/',
  faults({ book: { content } }, asked) {
    if (content === undefined) return undefined
    const { accessibility: own } = content
    const found: RuleFault[] = []
    const says = (message: string) => void found.push({ message })
    if (asked.modes && own.accessMode.length === 0) says('The metadata has no accessMode.')
    if (asked.sufficient && own.accessModeSufficient.length === 0)
      says('The metadata has no accessModeSufficient.')
    for (const each of asked.features ?? [])
      if (!own.accessibilityFeature.includes(`${each}`))
        says(`The metadata does not name the feature ${each}.`)
    if (asked.anyFeature && own.accessibilityFeature.length === 0)
      says('The metadata has no accessibilityFeature.')
    if (asked.hazards && own.accessibilityHazard.length === 0)
      says('The metadata has no accessibilityHazard.')
    const length = own.accessibilitySummary.join(' ').length
    const summary = asked.summary && missed(asked.summary, length)
    if (summary)
      says(
        length === 0
          ? 'The metadata has no accessibilitySummary.'
          : `The accessibilitySummary has ${length} characters, not ${summary}.`,
      )
    const { conformsTo } = asked
    if (conformsTo && !own.conformsTo.some(each => matches(conformsTo, each)))
      says('The metadata names no standard (conformsTo) that this rule asks for.')
    if (asked.certified && own.certifiedBy.length === 0) says('The metadata has no certifiedBy.')
    return found
  },
})

export const rights = predicate({
  says: 'What the book says of text and data mining.',
  needs: 'rights',
  parameters: {
    said: flag('whether it has to say whether it is reserved (tdm:reservation)'),
    reserved: flag('whether it has to be reserved, or must not be'),
    policy: flag('whether a reservation has to name a policy (tdm:policy)'),
  },
  hint: 'Write tdm:reservation and tdm:policy into the metadata: https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/',
  faults({ book: { rights: own } }, { said, reserved, policy }) {
    if (own === undefined) return undefined
    const found: RuleFault[] = []
    const values = own.reservations.map(({ value }) => value)
    if ((said || reserved !== undefined) && values.length === 0)
      found.push({ message: 'The metadata has no tdm:reservation.' })
    if (reserved !== undefined && values.some(value => (value === '1') !== reserved))
      found.push({
        message: reserved ? 'Text and data mining is not reserved.' : 'Text and data mining is reserved.',
      })
    if (policy && values.includes('1') && own.policies.length === 0)
      found.push({ message: 'The reservation names no policy.' })
    return found
  },
})
