import type { OnixElement } from '../onix/element.ts'
import { element, leaf } from './elements.ts'
import { oneLine, xmlOf } from './xml.ts'

/** Who sends a message: a name, or the organisation at the service, or both. */
export interface Sender {
  readonly name?: string | undefined
  /** What the service calls the organisation (`scopeId`). */
  readonly organisation?: string | undefined
}

interface MessageOptions {
  /** `3.1`, or `3.0` for a receiver that takes no other. */
  readonly release: '3.0' | '3.1'
  readonly sender: Sender
  /** In milliseconds since 1970. */
  readonly sentAt: number
}

/** A message in pieces of text, by reference names, with the records as they come. */
export function* messageText(
  { release, sender, sentAt }: MessageOptions,
  records: Iterable<OnixElement>,
): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  yield `<ONIXMessage release="${release}" xmlns="http://ns.editeur.org/onix/${release}/reference">\n`
  yield xmlOf(headerOf(sender, sentAt), '  ')
  let isEmpty = true
  for (const record of records) {
    isEmpty = false
    yield xmlOf(record, '  ')
  }
  if (isEmpty) yield xmlOf(element('NoProduct'), '  ')
  yield '</ONIXMessage>\n'
}

const headerOf = ({ name, organisation }: Sender, sentAt: number): OnixElement =>
  element(
    'Header',
    element(
      'Sender',
      organisation === undefined
        ? undefined
        : element(
            'SenderIdentifier',
            leaf('SenderIDType', '01'),
            leaf('IDTypeName', 'scopeId'),
            leaf('IDValue', oneLine(organisation)),
          ),
      leaf('SenderName', name === undefined ? undefined : oneLine(name)),
    ),
    leaf('SentDateTime', timeOf(sentAt)),
  )

/** A time such as `20261123T165000Z`. */
const timeOf = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace(/[-:]|\.\d+/g, '')
