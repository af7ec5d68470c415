import { byId, endpoint, largestPage, late, pageLimit, timestamp, tolerant } from './endpoint.ts'
import { itemOf, pageOf } from './envelope.ts'
import { z } from './zod.ts'

const summary = () => ({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  screenshot: z.string(),
  isSampleOnly: z.boolean(),
  isDefault: z.boolean(),
  securityLevel: z.array(z.string()),
  createdAtIso: timestamp(),
  updatedAtIso: timestamp(),
  screenshotUpdatedAtIso: timestamp(),
})
const absentInSummary = ['description', 'screenshot', 'screenshotUpdatedAtIso'] as const
const anyObject = () => z.record(z.string(), z.unknown())

/** A reader configuration as lists show it (§2.11). */
export const ReaderInstanceSummary = late(() => tolerant(summary(), absentInSummary))

/** A reader configuration in full (§2.11); the contents of its configuration objects are the service's own. */
export const ReaderInstance = late(() =>
  tolerant(
    {
      ...summary(),
      permittedDomains: z.array(z.string()),
      createdBySub: z.string(),
      scopeId: z.string(),
      organisationId: z.string(),
      configuration: tolerant({
        plan: z.string(),
        version: z.string(),
        lastUpdated: timestamp(),
        addons: anyObject(),
        layout: tolerant({ version: z.string(), regions: anyObject() }),
        private: tolerant({ authentication: tolerant({ authType: z.string() }) }),
        public: tolerant({ settings: anyObject(), fonts: z.array(z.unknown()) }),
      }),
      designerState: tolerant({
        version: z.string(),
        selectedLayout: z.int(),
        featureState: anyObject(),
        settingsState: anyObject(),
        iconState: anyObject(),
        fontState: anyObject(),
      }),
    },
    absentInSummary,
  ),
)

const errors = [400, 401, 403, 404, 405] as const

export const readerInstances = {
  list: endpoint({
    method: 'GET',
    path: '/v1/reader-instances',
    status: 200,
    errors,
    summary: 'List reader instances',
    isPaged: true,
    mostItems: largestPage,
    input: () =>
      z.strictObject({
        limit: pageLimit(),
        nextToken: z.optional(z.string()),
      }),
    output: pageOf(ReaderInstanceSummary),
  }),
  get: endpoint({
    method: 'GET',
    path: '/v1/reader-instances/{id}',
    status: 200,
    errors,
    summary: 'Show a reader instance',
    input: byId,
    output: itemOf(ReaderInstance),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/reader-instances/{id}',
    status: 200,
    errors,
    summary: 'Delete reader instances',
    input: byId,
    output: itemOf(ReaderInstance),
  }),
  copy: endpoint({
    method: 'POST',
    path: '/v1/reader-instances/{id}/copy',
    status: 201,
    errors,
    summary: 'Copy a reader instance',
    input: byId,
    output: itemOf(ReaderInstance),
  }),
}
