import * as z from 'zod/mini'
import { late } from '../service/contract/endpoint.ts'

/** Who else has checked a book, in files that others may have written. */
export const CheckedByList = late(() =>
  z.array(z.looseObject({ name: z.string(), version: z.optional(z.string()), engine: z.string() })),
)
