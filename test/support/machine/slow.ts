/**
 * Whether this is `npm run check:slow`, which tries everything in full size. Otherwise tests that would take long try less or
 * a part in turn, or are skipped, so that `npm test` takes less than three minutes on two processors.
 */
export const isSlow = Boolean(process.env['SLOW'])

/** All of them in `npm run check:slow`; otherwise one in so many, from the `part`-th on, so that several callers share them. */
export const share = <T>(all: readonly T[], parts: number, part = 0): readonly T[] =>
  isSlow ? all : all.filter((_, index) => index % parts === part % parts)
