import type * as z from 'zod/mini'
import { exitCodes, Failure, type FailureDetail } from '../../system/errors.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { inEnglish } from '../contract/zod-parts.ts'

/** Throws `invalid_request`, with every fault in `details`, if the input does not match the endpoint's schema. */
export function checkInput(endpoint: Endpoint, input: Readonly<Record<string, unknown>>): void {
  const { error } = endpoint.input.safeParse(input, inEnglish)
  if (error === undefined) return
  throw new Failure(`the service would not take this: ${endpoint.method} ${endpoint.path}`, {
    code: 'invalid_request',
    exitCode: exitCodes.usage,
    hint: 'Nothing was sent. Correct what is named above; --help shows what each option takes.',
    details: error.issues.map(detailOf),
  })
}

const detailOf = ({ message, path, code }: z.core.$ZodIssue): FailureDetail => ({
  message,
  path: path.map(step => (typeof step === 'number' ? step : String(step))),
  ...(code === undefined ? {} : { code }),
})
