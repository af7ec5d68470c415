/**
 * The elements of block 1 of a record (DescriptiveDetail) and of its identifiers in ONIX 3.1, by their short tags: EDItEUR's
 * "Data element summary".
 */
const shortTags = `
  b012:ProductForm b014:ProductFormDescription b020:YearOfAnnual b029:Subtitle b030:TitlePrefix
  b031:TitleWithoutPrefix b034:SequenceNumber b035:ContributorRole b036:PersonName b037:PersonNameInverted
  b038:TitlesBeforeNames b039:NamesBeforeKey b040:KeyNames b041:NamesAfterKey b042:LettersAfterNames
  b043:TitlesAfterNames b044:BiographicalNote b045:ProfessionalPosition b046:Affiliation b047:CorporateName
  b048:ContributorDescription b049:ContributorStatement b057:EditionNumber b058:EditionStatement
  b062:IllustrationsNote b063:MapScale b067:SubjectSchemeIdentifier b068:SubjectSchemeVersion b069:SubjectCode
  b070:SubjectHeadingText b074:AudienceRangeQualifier b075:AudienceRangePrecision b076:AudienceRangeValue
  b077:ComplexitySchemeIdentifier b078:ComplexityCode b125:NumberOfIllustrations b171:SubjectSchemeName
  b202:TitleType b203:TitleText b204:AudienceCodeType b205:AudienceCodeTypeName b206:AudienceCodeValue
  b207:AudienceDescription b217:EditionVersionNumber b218:ExtentType b219:ExtentValue b220:ExtentUnit
  b221:ProductIDType b225:ProductPackaging b233:IDTypeName b244:IDValue b247:PrefixToKey b248:SuffixToKey
  b249:UnnamedPersons b251:CountryCode b252:LanguageCode b253:LanguageRole b257:Number b274:ProductClassificationType
  b275:ProductClassificationCode b294:WebsiteDescription b295:WebsiteLink b306:Date b333:ProductFormDetail
  b334:ProductFormFeatureType b335:ProductFormFeatureValue b336:ProductFormFeatureDescription b337:Percent
  b352:BibleContents b353:BibleVersion b354:BiblePurpose b355:BibleTextOrganization b356:BibleReferenceLocation
  b357:BibleTextFeature b358:ReligiousTextFeatureType b359:ReligiousTextFeatureCode
  b360:ReligiousTextFeatureDescription b367:WebsiteRole b368:ThesisType b369:ThesisPresentedTo b370:ThesisYear
  b376:ReligiousTextIdentifier b384:TradeCategory b385:ProductContentType b389:StudyBibleType b398:RegionCode
  c094:Measurement c095:MeasureUnitCode g126:PrizeName g127:PrizeYear g128:PrizeCountry g129:PrizeCode g343:PrizeJury
  j349:LocationName n339:NoContributor n386:NoEdition x314:ProductComposition x315:MeasureType
  x316:CountryOfManufacture x317:EpubTechnicalProtection x318:EpubUsageType x319:EpubUsageStatus x320:Quantity
  x321:EpubUsageUnit x322:NumberOfItemsOfThisForm x323:NumberOfCopies x329:CollectionType x330:SourceName
  x344:CollectionIDType x409:TitleElementLevel x410:PartNumber x411:NoCollection x412:FromLanguage x413:ToLanguage
  x414:NameType x415:NameIDType x416:PrimaryContentType x417:ContributorDateRole x418:ContributorPlaceRelator
  x419:EditionType x420:ScriptCode x421:ExtentValueRoman x422:Illustrated x423:AncillaryContentType
  x424:AncillaryContentDescription x425:MainSubject x443:CorporateNameInverted x457:PrimaryPart x478:TitleStatement
  x479:CollectionSequenceType x480:CollectionSequenceTypeName x481:CollectionSequenceNumber x501:NoPrefix
  x503:PrizeStatement x508:EpubLicenseExpressionType x509:EpubLicenseExpressionTypeName
  x510:EpubLicenseExpressionLink x511:EpubLicenseName x515:EventRole x516:EventName x517:EventAcronym
  x518:EventNumber x519:EventTheme x520:EventDate x521:EventPlace x522:EventSponsorIDType x534:SubjectDateRole
  x555:ProductClassificationTypeName x556:PrizeRegion x578:AudienceHeadingText x580:AffiliationIDType
  x582:CollectionFrequency x583:MainAudience x584:AwardingBody x585:EpubLicenseDateRole x586:CollectionElementLevel
  x589:PrizeIDType`

/** Composites, whose short tags are their names in lower case. */
const composites = `
  AffiliationIdentifier AlternativeName AncillaryContent Audience AudienceRange Bible Collection CollectionIdentifier
  CollectionSequence Complexity Contributor ContributorDate ContributorPlace DescriptiveDetail EpubLicense
  EpubLicenseDate EpubLicenseExpression EpubUsageConstraint EpubUsageLimit Event EventSponsor EventSponsorIdentifier
  Extent Language Measure NameAsSubject NameIdentifier Prize PrizeIdentifier ProductClassification ProductFormFeature
  ProductIdentifier ProductPart ProfessionalAffiliation ReligiousText ReligiousTextFeature Subject SubjectDate
  TitleDetail TitleElement Website`

/** Elements that may have XHTML; the names of that are the same in both dialects. */
const withXhtml = new Set(
  `AncillaryContentDescription AudienceDescription BiographicalNote ContributorDescription
    ContributorStatement EditionStatement IllustrationsNote PrizeJury PrizeStatement
    ReligiousTextFeatureDescription TitleStatement WebsiteDescription`.split(/\s+/),
)

const wordsOf = (text: string): string[] => text.trim().split(/\s+/)

/** The reference names of the elements of block 1, by the tags of both dialects. */
const names: ReadonlyMap<string, string> = new Map([
  ...wordsOf(shortTags).flatMap(pair => {
    const [tag = '', name = ''] = pair.split(':')
    return [[tag, name] as const, [name, name] as const]
  }),
  ...wordsOf(composites).flatMap(name => [[name.toLowerCase(), name] as const, [name, name] as const]),
])

/** The reference name of an element of block 1; undefined for what ONIX 3.1 does not have there. */
export const blockName = (tag: string): string | undefined => names.get(tag)

/** Whether an element may have XHTML. */
export const hasXhtml = (name: string): boolean => withXhtml.has(name)
