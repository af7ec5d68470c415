/** What the service itself says of an edition's file among its metadata (§2.8); the rest was given by somebody. */
export const factsOfFile: ReadonlySet<string> = new Set([
  'pageCount',
  'fileSize',
  'epubVersion',
  'spreadBehaviour',
  'layoutType',
  'cover',
  'coverImageAlt',
])
