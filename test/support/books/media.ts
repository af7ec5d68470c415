/** The smallest whole image. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)

/** The beginning of a sound. */
export const mp3 = Buffer.from('ID3\x04\0\0\0\0\0\0\xff\xfb\x90\0', 'latin1')
