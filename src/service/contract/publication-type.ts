/** The types of publications (§2.8). */
export const publicationTypes = ['EPUB', 'PDF', 'Audio'] as const
export type PublicationType = (typeof publicationTypes)[number]
