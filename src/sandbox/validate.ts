import type * as z from 'zod/mini'
import { inEnglish } from '../service/contract/zod-parts.ts'
import type { FailureDetail } from '../system/errors.ts'
import { invalid } from './service-error.ts'

/** A value that fits the schema; else throws 400 ZOD_ERROR, its paths beginning with `at`. */
export function parseAs<S extends z.ZodMiniType>(schema: S, value: unknown, at: string[] = []): z.output<S> {
  const { success, data, error } = schema.safeParse(value, inEnglish)
  if (success) return data
  throw invalid(error.issues.map(issue => detailOf(issue, at)))
}

const detailOf = ({ message, path, code }: z.core.$ZodIssue, at: string[]): FailureDetail => ({
  message,
  path: [...at, ...path.map(step => (typeof step === 'number' ? step : String(step)))],
  code,
})
