import type * as z from 'zod/mini'
import { exitCodes, Failure, type FailureDetail } from '../../system/errors.ts'
import type { Endpoint } from '../contract/endpoint.ts'

/** Throws `invalid_request`, with every fault in `details`, if the input does not match the endpoint's schema. */
export async function checkInput(
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (endpoint.input.safeParse(input).success) return
  const { inEnglish } = await import('../contract/zod-parts.ts')
  // By zod from now on, which alone says what is wrong.
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
