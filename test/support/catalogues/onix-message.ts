/** An element with text or elements in it; text is not escaped. */
const element = (name: string, ...content: readonly string[]): string =>
  `<${name}>${content.join('')}</${name}>`

/** A composite of a record from pairs of names and values, such as `{ TitleType: '01', Subtitle: 'S' }`. */
export const composite = (name: string, values: Readonly<Record<string, string>>): string =>
  element(name, ...Object.entries(values).map(([each, value]) => element(each, value)))

export const identifier = (type: string, value: string): string =>
  composite('ProductIdentifier', { ProductIDType: type, IDValue: value })

export const title = (values: Readonly<Record<string, string>>, level = '01'): string =>
  element(
    'TitleDetail',
    element('TitleType', '01'),
    composite('TitleElement', { TitleElementLevel: level, ...values }),
  )

interface RecordParts {
  reference?: string
  notification?: string
  identifiers?: string
  /** The form and its details, in place of a reflowable EPUB. */
  form?: string
  title?: string
  /** More of DescriptiveDetail. */
  detail?: string
  collateral?: string
  publishing?: string
  /** What comes after. */
  more?: string
}

/** A record by reference names, which is whole unless it is told otherwise. */
export const record = (parts: RecordParts = {}): string =>
  element(
    'Product',
    element('RecordReference', parts.reference ?? 'org.example.1'),
    element('NotificationType', parts.notification ?? '03'),
    parts.identifiers ?? identifier('15', '9783161484100'),
    element(
      'DescriptiveDetail',
      element('ProductComposition', '00'),
      parts.form ??
        '<ProductForm>ED</ProductForm><ProductFormDetail>E101</ProductFormDetail><ProductFormDetail>E200</ProductFormDetail>',
      parts.title ?? title({ TitleText: 'The Sea' }),
      parts.detail ?? '',
    ),
    element('CollateralDetail', parts.collateral ?? ''),
    element('PublishingDetail', parts.publishing ?? ''),
    parts.more ?? '',
  )

/** A message of ONIX 3.0 by reference names. */
export const message = (...content: readonly string[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<ONIXMessage release="3.0" xmlns="http://ns.editeur.org/onix/3.0/reference">',
    '<Header><Sender><SenderName>A Press</SenderName></Sender><SentDateTime>20260807</SentDateTime></Header>',
    ...content,
    '</ONIXMessage>',
  ].join('\n')
