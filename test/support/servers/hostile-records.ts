/** One of each resource of the service, written from its document alone; nothing here is shared with the program. */

const when = '2026-03-01T09:30:00.000Z'

const summary = {
  publicationId: 'pub_1',
  title: 'On Its Own',
  author: ['Ada', 'Bob'],
  type: 'EPUB',
  isReflowable: true,
  status: 'live',
  uploadStatus: 'available',
  currentEditionId: 'ed_1',
  cover: 'covers/pub_1.jpg',
  createdAtIso: when,
  collectionIds: ['col_1'],
}

const edition = {
  id: 'ed_1',
  type: 'EPUB',
  isReflowable: true,
  editionCreated: when,
  title: 'On Its Own',
  titleSource: 'user',
  author: ['Ada', 'Bob'],
  version: 1,
  isCurrentVersion: true,
  status: 'live',
  editionNotes: 'none',
  key: 'objects/ed_1.epub',
  uploadStatus: 'available',
  metadata: {
    pageCount: '123',
    fileSize: '955514',
    epubVersion: '3.0',
    spreadBehaviour: 'AUTO',
    layoutType: 'REFLOWABLE',
    cover: 'cover.jpg',
    coverImageAlt: 'a cover',
    isbn: '9783161484100',
    publisher: 'Press',
  },
  navigationData: [
    {
      collectionType: 'TOC',
      collectionIndex: 0,
      navigationItemId: 1,
      title: 'One',
      depth: 0,
      path: [0],
      pathKey: '0',
    },
  ],
}

const publication = {
  id: 'pub_1',
  language: 'English',
  description: 'A book.',
  sampleItems: ['ch1'],
  isForInternalReadingInstance: false,
  editions: [edition],
}

const user = {
  id: 'usr_1',
  sub: 'sub_1',
  email: 'ada@example.org',
  role: 'Admin',
  status: 'Active',
  billing: {
    planId: 'plan',
    status: 'active',
    publicationLimit: 100,
    monthlyBandwidthLimitBytes: '1000000',
    cancelAtPeriodEnd: false,
  },
  firstName: 'Ada',
  lastName: 'L',
  onboarded: true,
  userImage: null,
}

const apiKey = {
  id: 'key_1',
  name: 'Build',
  organisationId: 'org_1',
  userId: 'usr_1',
  keyId: 'kid_1',
  prefix: 'pk_',
  keyHash: 'c0ffee',
  suffix: 'abcd',
  scopes: ['read', 'write', 'delete'],
  revoked: null,
  expires: when,
  created: when,
  lastUsed: when,
  createdByUserId: 'usr_1',
  status: 'active',
}

const asset = {
  id: 'as_1',
  createdBySub: 'sub_1',
  scopeId: 'scope_1',
  organisationId: 'org_1',
  type: 'font',
  filename: 'Lora.woff2',
  key: 'assets/as_1',
  filetype: 'font/woff2',
  filesize: 1234,
  status: 'pending',
  usedByReaderInstances: [{ id: 'ri_1', name: 'Main' }],
  createdAtIso: when,
}

const metadataKey = {
  id: 'mk_1',
  scopeId: 'scope_1',
  key: 'series',
  label: 'Series',
  origin: 'custom',
  mutability: 'editable',
  status: 'active',
  isInUse: false,
  createdAtIso: when,
  updatedAtIso: when,
}

const domain = {
  id: 'dom_1',
  domain: 'reader.example.org',
  description: 'shop',
  createdAtIso: when,
  updatedAtIso: when,
  isInUse: true,
  readerInstanceIds: ['ri_1'],
}

const readerInstanceSummary = {
  id: 'ri_1',
  name: 'Main',
  description: 'the reader',
  screenshot: 'shots/ri_1.png',
  isSampleOnly: false,
  isDefault: true,
  securityLevel: ['open'],
  createdAtIso: when,
  updatedAtIso: when,
  screenshotUpdatedAtIso: when,
}

const readerInstance = {
  ...readerInstanceSummary,
  permittedDomains: ['reader.example.org'],
  createdBySub: 'sub_1',
  scopeId: 'scope_1',
  organisationId: 'org_1',
  configuration: {
    plan: 'plan',
    version: '1',
    lastUpdated: when,
    addons: {},
    layout: { version: '1', regions: {} },
    private: { authentication: { authType: 'none' } },
    public: { settings: {}, fonts: [] },
  },
  designerState: {
    version: '1',
    selectedLayout: 0,
    featureState: {},
    settingsState: {},
    iconState: {},
    fontState: {},
  },
}

const readerUserSummary = {
  id: 'ru_1',
  deviceId: 'dev_1',
  userId: 'someone',
  lastOrigin: 'https://reader.example.org',
  lastSessionStartedAt: when,
  numberOfBooksRead: 3,
  currentPublicationId: 'pub_1',
}

const reading = {
  bookmarkCount: 1,
  highlightCount: 2,
  progression: 0.5,
  chapterTitle: 'One',
  pageLabel: 'v',
  pageIndex: 4,
}

const readerUser = {
  ...readerUserSummary,
  origins: ['https://reader.example.org'],
  currentPublication: summary,
  readingHistory: [
    {
      ...summary,
      ...reading,
      firstReadAtIso: when,
      lastReadAtIso: when,
      sessionCount: 2,
      progressUpdatedAtIso: when,
    },
  ],
  currentReadingState: { sessionId: 's_1', ...reading, updatedAtIso: when },
}

const period = { from: '2026-01', to: '2026-02' }
const counters = { publicationsRead: 2, totalViews: 30, activeReaders: 4 }
const reads = { totalReads: 9, averageReadTimeMs: 90_000, averageCompletion: 0.4, completionRate: 0.1 }

export const records = {
  summary,
  edition,
  publication,
  user,
  apiKey,
  asset,
  metadataKey,
  domain,
  readerInstanceSummary,
  readerInstance,
  readerUserSummary,
  readerUser,
  scopeAnalytics: {
    period,
    totals: counters,
    monthly: [
      { month: '2026-01', ...counters },
      { month: '2026-02', ...counters, totalViews: 3 },
    ],
  },
  popular: { publicationId: 'pub_1', title: 'On Its Own', views: 12 },
  publicationAnalytics: {
    publicationId: 'pub_1',
    period,
    totals: reads,
    monthly: [{ month: '2026-01', ...reads }],
  },
  activity: {
    publicationId: 'pub_1',
    period: { from: '2026-03-01', to: '2026-03-02' },
    daily: [
      { day: '2026-03-01', views: 3 },
      { day: '2026-03-02', views: 0 },
    ],
  },
}
