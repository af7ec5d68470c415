/** Whether a cover that was chosen is the path of an image, and not `auto` or `none`. */
export const isImagePath = (cover: string | null | undefined): cover is string =>
  cover !== null && cover !== undefined && cover !== 'auto' && cover !== 'none'
