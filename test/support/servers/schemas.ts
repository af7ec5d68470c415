import { loadZod } from '../../../src/service/contract/zod.ts'

// A command loads zod before it is carried out; a test that asks the contract itself for a schema needs it, too.
await loadZod()
