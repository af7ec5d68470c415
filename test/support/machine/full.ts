/** Whether this is `npm run check:slow -- --full`, which takes an hour: thousands of books, every recipe, and every page in a browser. */
export const isFull = Boolean(process.env['FULL'])
