/** What `--only-missing` adds to records. */
export const addable = ['accessibility', 'rights'] as const
export type Addable = (typeof addable)[number]
