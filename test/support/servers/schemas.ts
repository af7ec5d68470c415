import { loadZod } from '../../../src/service/contract/load-zod.ts'

// A test that asks the contract itself for a schema is to get what the sandbox checks by.
await loadZod()
