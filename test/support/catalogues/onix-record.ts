/** A record that has everything that is read, by reference names. */
export const fullRecord = `<Product>
  <RecordReference>org.example.sea</RecordReference>
  <NotificationType>03</NotificationType>
  <ProductIdentifier><ProductIDType>01</ProductIDType><IDTypeName>Own</IDTypeName><IDValue>SEA-1</IDValue></ProductIdentifier>
  <ProductIdentifier><ProductIDType>03</ProductIDType><IDValue>9783161484100</IDValue></ProductIdentifier>
  <ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>978-3-16-148410-0</IDValue></ProductIdentifier>
  <DescriptiveDetail>
    <ProductComposition>00</ProductComposition>
    <ProductForm>ED</ProductForm>
    <ProductFormDetail>E101</ProductFormDetail>
    <ProductFormDetail>E201</ProductFormDetail>
    <ProductFormFeature><ProductFormFeatureType>09</ProductFormFeatureType><ProductFormFeatureValue>04</ProductFormFeatureValue></ProductFormFeature>
    <ProductFormFeature><ProductFormFeatureType>09</ProductFormFeatureType><ProductFormFeatureValue>85</ProductFormFeatureValue></ProductFormFeature>
    <ProductFormFeature><ProductFormFeatureType>09</ProductFormFeatureType><ProductFormFeatureValue>96</ProductFormFeatureValue><ProductFormFeatureDescription>https://example.org/a11y</ProductFormFeatureDescription></ProductFormFeature>
    <ProductFormFeature><ProductFormFeatureType>12</ProductFormFeatureType><ProductFormFeatureValue>00</ProductFormFeatureValue></ProductFormFeature>
    <ProductFormFeature><ProductFormFeatureType>15</ProductFormFeatureType><ProductFormFeatureValue>101F</ProductFormFeatureValue></ProductFormFeature>
    <ProductFormFeature><ProductFormFeatureType>16</ProductFormFeatureType><ProductFormFeatureValue>5.3.0</ProductFormFeatureValue><ProductFormFeatureDescription>EPUBCheck</ProductFormFeatureDescription></ProductFormFeature>
    <EpubUsageConstraint><EpubUsageType>11</EpubUsageType><EpubUsageStatus>03</EpubUsageStatus></EpubUsageConstraint>
    <EpubUsageConstraint><EpubUsageType>02</EpubUsageType><EpubUsageStatus>02</EpubUsageStatus><EpubUsageLimit><Quantity>10</Quantity><EpubUsageUnit>04</EpubUsageUnit></EpubUsageLimit></EpubUsageConstraint>
    <EpubLicense><EpubLicenseName>Terms</EpubLicenseName><EpubLicenseExpression><EpubLicenseExpressionType>01</EpubLicenseExpressionType><EpubLicenseExpressionLink>https://example.org/terms</EpubLicenseExpressionLink></EpubLicenseExpression></EpubLicense>
    <Collection>
      <CollectionType>10</CollectionType>
      <TitleDetail>
        <TitleType>01</TitleType>
        <TitleElement><TitleElementLevel>01</TitleElementLevel><PartNumber>2</PartNumber></TitleElement>
        <TitleElement><TitleElementLevel>02</TitleElementLevel><TitlePrefix>The</TitlePrefix><TitleWithoutPrefix>Waters</TitleWithoutPrefix></TitleElement>
      </TitleDetail>
    </Collection>
    <TitleDetail>
      <TitleType>01</TitleType>
      <TitleElement>
        <TitleElementLevel>01</TitleElementLevel>
        <TitlePrefix textcase="01">The</TitlePrefix>
        <TitleWithoutPrefix textcase="01">Sea</TitleWithoutPrefix>
        <Subtitle>A Story &amp; a Map</Subtitle>
      </TitleElement>
    </TitleDetail>
    <TitleDetail><TitleType>10</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel><TitleText>SEA, THE</TitleText></TitleElement></TitleDetail>
    <Contributor><SequenceNumber>3</SequenceNumber><ContributorRole>A01</ContributorRole><CorporateName>Sea, Salt, and Sons</CorporateName></Contributor>
    <Contributor><SequenceNumber>2</SequenceNumber><ContributorRole>B06</ContributorRole><PersonName>Tom Translator</PersonName></Contributor>
    <Contributor><SequenceNumber>4</SequenceNumber><ContributorRole>E07</ContributorRole><UnnamedPersons>08</UnnamedPersons><AlternativeName><NameType>04</NameType><PersonName>Ann Actor</PersonName></AlternativeName></Contributor>
    <Contributor><SequenceNumber>5</SequenceNumber><ContributorRole>E07</ContributorRole><PersonName>Nell Reader</PersonName></Contributor>
    <Contributor>
      <SequenceNumber>1</SequenceNumber>
      <ContributorRole>A01</ContributorRole>
      <ContributorRole>A12</ContributorRole>
      <NamesBeforeKey>Ludwig</NamesBeforeKey><PrefixToKey>van</PrefixToKey><KeyNames>Lee</KeyNames>
      <AlternativeName><NameType>01</NameType><KeyNames>Hidden</KeyNames></AlternativeName>
      <BiographicalNote textformat="05"><p>Born in <em>1970</em>.</p></BiographicalNote>
    </Contributor>
    <Language><LanguageRole>02</LanguageRole><LanguageCode>swe</LanguageCode></Language>
    <Language><LanguageRole>01</LanguageRole><LanguageCode>eng</LanguageCode></Language>
    <Subject><MainSubject/><SubjectSchemeIdentifier>93</SubjectSchemeIdentifier><SubjectCode>FFP</SubjectCode></Subject>
    <Subject><SubjectSchemeIdentifier>94</SubjectSchemeIdentifier><SubjectCode>1DNS</SubjectCode></Subject>
    <Subject><SubjectSchemeIdentifier>10</SubjectSchemeIdentifier><SubjectCode>FIC022000</SubjectCode></Subject>
    <Subject><SubjectSchemeIdentifier>12</SubjectSchemeIdentifier><SubjectCode>FF</SubjectCode></Subject>
    <Subject><SubjectSchemeIdentifier>20</SubjectSchemeIdentifier><SubjectHeadingText>sea; salt</SubjectHeadingText></Subject>
  </DescriptiveDetail>
  <CollateralDetail>
    <TextContent><TextType>02</TextType><ContentAudience>00</ContentAudience><Text>Short.</Text></TextContent>
    <TextContent><TextType>03</TextType><ContentAudience>02</ContentAudience><Text>For the trade.</Text></TextContent>
    <TextContent>
      <TextType>03</TextType><ContentAudience>00</ContentAudience>
      <Text textformat="05"><p>One <strong>sea</strong>,<br/>two boats.</p><ul><li>a map</li><li><p>a crew</p></li></ul></Text>
    </TextContent>
    <SupportingResource><ResourceVersion><ResourceLink>http://169.254.169.254/cover.jpg</ResourceLink></ResourceVersion></SupportingResource>
  </CollateralDetail>
  <PublishingDetail>
    <Imprint><ImprintName>Salt Books</ImprintName></Imprint>
    <Publisher><PublishingRole>02</PublishingRole><PublisherName>Co Ltd</PublisherName></Publisher>
    <Publisher><PublishingRole>01</PublishingRole><PublisherName>A Press</PublisherName></Publisher>
    <PublishingDate><PublishingDateRole>11</PublishingDateRole><Date dateformat="05">1968</Date></PublishingDate>
    <PublishingDate><PublishingDateRole>01</PublishingDateRole><Date dateformat="00">20260807</Date></PublishingDate>
    <PublishingDate><PublishingDateRole>02</PublishingDateRole><Date dateformat="00">20260810</Date></PublishingDate>
    <SalesRights><SalesRightsType>01</SalesRightsType></SalesRights>
  </PublishingDetail>
  <RelatedMaterial><RelatedProduct><ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9780007324378</IDValue></ProductIdentifier></RelatedProduct></RelatedMaterial>
  <ProductSupply><SupplyDetail><Price><PriceAmount>1</PriceAmount></Price><Price><PriceAmount>2</PriceAmount></Price></SupplyDetail></ProductSupply>
</Product>`

/** The same record by short tags. */
export const shortRecord = `<product>
  <a001>org.example.sea</a001>
  <a002>03</a002>
  <productidentifier><b221>01</b221><b233>Own</b233><b244>SEA-1</b244></productidentifier>
  <productidentifier><b221>03</b221><b244>9783161484100</b244></productidentifier>
  <productidentifier><b221>15</b221><b244>978-3-16-148410-0</b244></productidentifier>
  <descriptivedetail>
    <x314>00</x314>
    <b012>ED</b012>
    <b333>E101</b333>
    <b333>E201</b333>
    <productformfeature><b334>09</b334><b335>04</b335></productformfeature>
    <productformfeature><b334>09</b334><b335>85</b335></productformfeature>
    <productformfeature><b334>09</b334><b335>96</b335><b336>https://example.org/a11y</b336></productformfeature>
    <productformfeature><b334>12</b334><b335>00</b335></productformfeature>
    <productformfeature><b334>15</b334><b335>101F</b335></productformfeature>
    <productformfeature><b334>16</b334><b335>5.3.0</b335><b336>EPUBCheck</b336></productformfeature>
    <epubusageconstraint><x318>11</x318><x319>03</x319></epubusageconstraint>
    <epubusageconstraint><x318>02</x318><x319>02</x319><epubusagelimit><x320>10</x320><x321>04</x321></epubusagelimit></epubusageconstraint>
    <epublicense><x511>Terms</x511><epublicenseexpression><x508>01</x508><x510>https://example.org/terms</x510></epublicenseexpression></epublicense>
    <collection>
      <x329>10</x329>
      <titledetail>
        <b202>01</b202>
        <titleelement><x409>01</x409><x410>2</x410></titleelement>
        <titleelement><x409>02</x409><b030>The</b030><b031>Waters</b031></titleelement>
      </titledetail>
    </collection>
    <titledetail>
      <b202>01</b202>
      <titleelement>
        <x409>01</x409>
        <b030 textcase="01">The</b030>
        <b031 textcase="01">Sea</b031>
        <b029>A Story &amp; a Map</b029>
      </titleelement>
    </titledetail>
    <titledetail><b202>10</b202><titleelement><x409>01</x409><b203>SEA, THE</b203></titleelement></titledetail>
    <contributor><b034>3</b034><b035>A01</b035><b047>Sea, Salt, and Sons</b047></contributor>
    <contributor><b034>2</b034><b035>B06</b035><b036>Tom Translator</b036></contributor>
    <contributor><b034>4</b034><b035>E07</b035><b249>08</b249><alternativename><x414>04</x414><b036>Ann Actor</b036></alternativename></contributor>
    <contributor><b034>5</b034><b035>E07</b035><b036>Nell Reader</b036></contributor>
    <contributor>
      <b034>1</b034>
      <b035>A01</b035>
      <b035>A12</b035>
      <b039>Ludwig</b039><b247>van</b247><b040>Lee</b040>
      <alternativename><x414>01</x414><b040>Hidden</b040></alternativename>
      <b044 textformat="05"><p>Born in <em>1970</em>.</p></b044>
    </contributor>
    <language><b253>02</b253><b252>swe</b252></language>
    <language><b253>01</b253><b252>eng</b252></language>
    <subject><x425/><b067>93</b067><b069>FFP</b069></subject>
    <subject><b067>94</b067><b069>1DNS</b069></subject>
    <subject><b067>10</b067><b069>FIC022000</b069></subject>
    <subject><b067>12</b067><b069>FF</b069></subject>
    <subject><b067>20</b067><b070>sea; salt</b070></subject>
  </descriptivedetail>
  <collateraldetail>
    <textcontent><x426>02</x426><x427>00</x427><d104>Short.</d104></textcontent>
    <textcontent><x426>03</x426><x427>02</x427><d104>For the trade.</d104></textcontent>
    <textcontent>
      <x426>03</x426><x427>00</x427>
      <d104 textformat="05"><p>One <strong>sea</strong>,<br/>two boats.</p><ul><li>a map</li><li><p>a crew</p></li></ul></d104>
    </textcontent>
    <supportingresource><resourceversion><x435>http://169.254.169.254/cover.jpg</x435></resourceversion></supportingresource>
  </collateraldetail>
  <publishingdetail>
    <imprint><b079>Salt Books</b079></imprint>
    <publisher><b291>02</b291><b081>Co Ltd</b081></publisher>
    <publisher><b291>01</b291><b081>A Press</b081></publisher>
    <publishingdate><x448>11</x448><b306 dateformat="05">1968</b306></publishingdate>
    <publishingdate><x448>01</x448><b306 dateformat="00">20260807</b306></publishingdate>
    <publishingdate><x448>02</x448><b306 dateformat="00">20260810</b306></publishingdate>
    <salesrights><b089>01</b089></salesrights>
  </publishingdetail>
  <relatedmaterial><relatedproduct><productidentifier><b221>15</b221><b244>9780007324378</b244></productidentifier></relatedproduct></relatedmaterial>
  <productsupply><supplydetail><price><j151>1</j151></price><price><j151>2</j151></price></supplydetail></productsupply>
</product>`
