import { UsageFailure } from '../../system/errors.ts'

/** The failure of a message that cannot be used as a whole. */
export const badMessage = (path: string, says: string, hint: string): UsageFailure =>
  new UsageFailure(`${path} ${says}`, { code: 'bad_onix', hint })

/** A fault of a message's XML, as a clause such as "its elements are nested too deep". */
export class XmlFault extends Error {
  readonly hint: string
  /** How many lines before the place that the parser has come to. */
  readonly linesBack: number

  constructor(
    message: string,
    { hint = 'Have the system that wrote the message export it again.', linesBack = 0 } = {},
  ) {
    super(message)
    this.hint = hint
    this.linesBack = linesBack
  }
}
