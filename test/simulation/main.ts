import { prepare } from './prepare.ts'

// What is loaded after this finds the simulated disk.
prepare()
void import('./simulate.ts').then(({ simulate }) => simulate(process.argv.slice(2)))
