// Prints how the source is laid out: how many rooms, files and lines it has, how many arrows lead from room to room, and the
// circles among rooms and among files: node .ci/rooms.js [<source>]
//
// A room is a folder or a file that lies directly in the source. An arrow says that something in one room imports something of
// another, types included.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { circlesIn, graphWithin, readImports } from './imports.js'

const source = resolve(process.argv[2] ?? join(import.meta.dirname, '../src'))
const imports = readImports(source)
const rooms = graphWithin(imports)
const files = new Map([...imports].map(([file, found]) => [file, new Set(found.map(({ target }) => target))]))
const lines = [...imports.keys()].reduce(
  (sum, file) => sum + readFileSync(join(source, file), 'utf8').split('\n').length - 1,
  0,
)
const arrows = [...rooms.values()].reduce((sum, reached) => sum + reached.size, 0)
const circles = [...circlesIn(rooms), ...circlesIn(files)]
console.log(
  `${rooms.size} rooms, ${imports.size} files, ${lines} lines, ${arrows} arrows between rooms, ${circles.length} circles`,
)
for (const circle of circles) console.error(`a circle of imports: ${circle.join(', ')}`)
if (circles.length > 0) process.exitCode = 1
