/**
 * What a file of CSV begins with. On Windows, Excel reads one without a byte order mark as Windows-1252. What is printed has none:
 * a pipe hands it to programs that take it for a part of the first name.
 */
export const csvMark = process.platform === 'win32' ? '\ufeff' : ''
