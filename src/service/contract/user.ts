import { decimalCount, documentedEnum, late, timestamp, tolerant } from './endpoint.ts'
import { z } from './zod.ts'

/** What a user's organisation pays for and has used (§2.3); byte counts are decimal strings. */
export const Billing = late(() =>
  tolerant(
    {
      planId: z.string(),
      status: z.string(),
      billingAccessStatus: z.string(),
      billingGracePeriodEndIso: timestamp(),
      billingInterval: z.string(),
      trialEndIso: timestamp(),
      currentPeriodEndIso: timestamp(),
      cancelAtPeriodEnd: z.boolean(),
      publicationLimit: z.int(),
      monthlyBandwidthLimitBytes: decimalCount(),
      bandwidthPeriodStartIso: timestamp(),
      bandwidthPeriodEndIso: timestamp(),
      bandwidthPeriodUsedBytes: decimalCount(),
      bandwidthPeriodCalculatedThroughIso: timestamp(),
      bandwidthAccessStatus: z.string(),
    },
    'any',
  ),
)

/** A person of the organisation (§2.2). */
export const User = late(() =>
  z.extend(
    tolerant(
      { firstName: z.unknown(), lastName: z.unknown(), onboarded: z.boolean(), userImage: z.unknown() },
      'any',
    ),
    {
      id: z.string(),
      sub: z.string(),
      email: z.string(),
      role: documentedEnum(['Admin', 'Editor', 'Viewer']),
      status: documentedEnum(['Active', 'Pending', 'Inactive']),
      billing: z.nullable(Billing()),
    },
  ),
)
