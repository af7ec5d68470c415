// Writes the manual, into dist/man or the folder that is named: node .ci/man.js [<folder>]
import { join, resolve } from 'node:path'
import { root } from './bundle.js'
import { importScript } from './script.js'
import { writeFolder } from './write.js'

const { manual } = await importScript('manual')
writeFolder(resolve(process.argv[2] ?? join(root, 'dist/man')), manual())
