// The validator of conf's one schema. ajv takes 40 ms of processor time to compile it, twice what Node itself takes to start, so
// the build compiles it. test/config/config-schema.test.ts holds that the outcome is ajv's.
import { validate } from '../../../../../src/config/config-schema.ts?compiled'

export class Ajv2020 {
  compile() {
    return validate
  }
}
