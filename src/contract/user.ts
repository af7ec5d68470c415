import * as z from 'zod'
import { openEnum, timestamp, tolerant } from './endpoint.ts'

/** What a user's organisation pays for and has used (§2.3); byte counts are decimal strings. */
export const Billing = tolerant({
  planId: z.string(),
  status: z.string(),
  billingAccessStatus: z.string(),
  billingGracePeriodEndIso: timestamp,
  billingInterval: z.string(),
  trialEndIso: timestamp,
  currentPeriodEndIso: timestamp,
  cancelAtPeriodEnd: z.boolean(),
  publicationLimit: z.int(),
  monthlyBandwidthLimitBytes: z.string(),
  bandwidthPeriodStartIso: timestamp,
  bandwidthPeriodEndIso: timestamp,
  bandwidthPeriodUsedBytes: z.string(),
  bandwidthPeriodCalculatedThroughIso: timestamp,
  bandwidthAccessStatus: z.string(),
})

/** A person of the organisation (§2.2). */
export const User = tolerant({
  firstName: z.unknown(),
  lastName: z.unknown(),
  onboarded: z.boolean(),
  userImage: z.unknown(),
}).extend({
  id: z.string(),
  sub: z.string(),
  email: z.string(),
  role: openEnum(['Admin', 'Editor', 'Viewer']),
  status: openEnum(['Active', 'Pending', 'Inactive']),
  billing: Billing.nullable(),
})
