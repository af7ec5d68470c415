/**
 * Whether this is `npm run check:slow`, which tries everything in full size. Otherwise tests that would take minutes try less,
 * or a part in turn.
 */
export const isSlow = Boolean(process.env['SLOW'])
