import * as sources from '../../../src/catalogue/sources/products.ts'
import { anyFile } from '../../../src/system/may-read.ts'

/** Reads sources, wherever they and what they name are. */
export const readProducts = (
  paths: readonly string[],
  options: Omit<sources.SourceOptions, 'mayRead'> = {},
) => sources.readProducts(paths, { ...options, mayRead: anyFile })
