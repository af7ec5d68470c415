import { serveInputs } from './child.ts'
import { fuzz } from './fuzz.ts'

const args = process.argv.slice(2)
if (process.send) void serveInputs(args[0] as string)
else void fuzz(args)
