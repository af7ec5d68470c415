/**
 * The elements that are read, by their short tags: EDItEUR's ONIX for Books 3.1, "Data element summary". The short tag of a
 * composite is its reference name in lower case. Everything below an element that is not named here is passed over.
 */
const shortTags = {
  x307: 'SentDateTime',
  m184: 'DefaultLanguageOfText',
  x507: 'NoProduct',
  a001: 'RecordReference',
  a002: 'NotificationType',
  b221: 'ProductIDType',
  b233: 'IDTypeName',
  b244: 'IDValue',
  b012: 'ProductForm',
  b333: 'ProductFormDetail',
  b334: 'ProductFormFeatureType',
  b335: 'ProductFormFeatureValue',
  b336: 'ProductFormFeatureDescription',
  x318: 'EpubUsageType',
  x319: 'EpubUsageStatus',
  x320: 'Quantity',
  x321: 'EpubUsageUnit',
  x511: 'EpubLicenseName',
  x508: 'EpubLicenseExpressionType',
  x510: 'EpubLicenseExpressionLink',
  x329: 'CollectionType',
  x479: 'CollectionSequenceType',
  x481: 'CollectionSequenceNumber',
  b202: 'TitleType',
  b034: 'SequenceNumber',
  x409: 'TitleElementLevel',
  x410: 'PartNumber',
  b203: 'TitleText',
  b030: 'TitlePrefix',
  b031: 'TitleWithoutPrefix',
  b029: 'Subtitle',
  b035: 'ContributorRole',
  b036: 'PersonName',
  b037: 'PersonNameInverted',
  b038: 'TitlesBeforeNames',
  b039: 'NamesBeforeKey',
  b247: 'PrefixToKey',
  b040: 'KeyNames',
  b041: 'NamesAfterKey',
  b248: 'SuffixToKey',
  b042: 'LettersAfterNames',
  b043: 'TitlesAfterNames',
  b047: 'CorporateName',
  x443: 'CorporateNameInverted',
  b249: 'UnnamedPersons',
  b253: 'LanguageRole',
  b252: 'LanguageCode',
  b067: 'SubjectSchemeIdentifier',
  b069: 'SubjectCode',
  b070: 'SubjectHeadingText',
  x426: 'TextType',
  x427: 'ContentAudience',
  d104: 'Text',
  b079: 'ImprintName',
  b291: 'PublishingRole',
  b081: 'PublisherName',
  x448: 'PublishingDateRole',
  j260: 'DateFormat',
  b394: 'PublishingStatus',
  j396: 'ProductAvailability',
  b306: 'Date',
} as const

const composites = [
  ...['Header', 'Product', 'ProductIdentifier', 'DescriptiveDetail', 'ProductFormFeature', 'Collection'],
  ...['EpubUsageConstraint', 'EpubUsageLimit', 'EpubLicense', 'EpubLicenseExpression', 'AlternativeName'],
  ...['CollectionSequence', 'TitleDetail', 'TitleElement', 'Contributor', 'Language', 'Subject'],
  ...['CollateralDetail', 'TextContent', 'PublishingDetail', 'Imprint', 'Publisher', 'PublishingDate'],
  ...['ProductSupply', 'SupplyDetail'],
] as const

/** Composites that are counted and not read. */
const counted = ['Price', 'SalesRights'] as const
export type Counted = (typeof counted)[number]

/** The reference name of an element that is read or counted. */
export type OnixName = (typeof shortTags)[keyof typeof shortTags] | (typeof composites)[number] | Counted

const allComposites: readonly OnixName[] = [...composites, ...counted]

/**
 * The elements that are read or counted: their reference names, by the tags of both dialects. No tag means something else in
 * the other one, so a message may call itself by the wrong name.
 */
export const onixNames: ReadonlyMap<string, OnixName> = new Map<string, OnixName>([
  ...[...Object.values(shortTags), ...allComposites].map(name => [name, name] as const),
  ...Object.entries(shortTags),
  ...allComposites.map(name => [name.toLowerCase(), name] as const),
])

export const isCounted = (name: OnixName): name is Counted => name === 'Price' || name === 'SalesRights'
