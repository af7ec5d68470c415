// Writes what is in the repository and made of the rest of it: npm run generate [-- <name>...]
import { importScript } from './script.js'

const { generate } = await importScript('generate')
await generate(process.argv.slice(2))
