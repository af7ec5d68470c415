import type { UserRecord } from './authenticate.ts'

const gibibyte = 2 ** 30

/** The people of the sandbox's organisation: the owner of its keys, an editor and a viewer. */
export const seededUsers: readonly [UserRecord, UserRecord, UserRecord] = [
  {
    id: 'user_ada',
    sub: 'sub_ada',
    email: 'ada@publisher.example',
    role: 'Admin',
    status: 'Active',
    firstName: 'Ada',
    lastName: 'Berger',
    onboarded: true,
    userImage: null,
    // The limits are shown, and not enforced.
    billing: {
      planId: 'sandbox',
      status: 'active',
      billingAccessStatus: 'active',
      billingGracePeriodEndIso: null,
      billingInterval: 'year',
      trialEndIso: null,
      currentPeriodEndIso: '2035-01-15T00:00:00.000Z',
      cancelAtPeriodEnd: false,
      publicationLimit: 1_000_000,
      monthlyBandwidthLimitBytes: String(1024 * gibibyte),
      bandwidthPeriodStartIso: '2025-01-15T00:00:00.000Z',
      bandwidthPeriodEndIso: '2025-02-15T00:00:00.000Z',
      bandwidthPeriodUsedBytes: String(37 * gibibyte),
      bandwidthPeriodCalculatedThroughIso: '2025-01-31T00:00:00.000Z',
      bandwidthAccessStatus: 'active',
    },
  },
  {
    id: 'user_emil',
    sub: 'sub_emil',
    email: 'emil@publisher.example',
    role: 'Editor',
    status: 'Active',
    firstName: 'Emil',
    lastName: 'Žák',
    onboarded: true,
    userImage: null,
    billing: null,
  },
  {
    id: 'user_vera',
    sub: 'sub_vera',
    email: 'vera@publisher.example',
    role: 'Viewer',
    status: 'Pending',
    firstName: 'Vera',
    lastName: 'Lund',
    onboarded: false,
    userImage: null,
    billing: null,
  },
]
