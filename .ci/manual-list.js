// npm links the pages of the manual that "man" in package.json names one by one. They are named there only while npm packs, since
// the list is long and made of the commands.
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { write } from './write.js'

const root = join(import.meta.dirname, '..')
/** Holds a file for each npm that packs; several may do so at a time. */
const packing = join(root, 'dist/packing')
/** Longer than npm packs: what is older was left by one that was ended. */
const longest = 10 * 60_000

/** Names the pages, before npm packs. */
export function listPages() {
  mkdirSync(packing, { recursive: true })
  writeFileSync(join(packing, String(process.pid)), '')
  setList(pages())
}

/** Removes their names, after the last npm has packed. */
export function unlistPages() {
  const [first] = marks()
  if (first !== undefined) rmSync(first, { force: true })
  if (marks().length > 0) return
  setList(undefined)
  // Another may have begun just now.
  if (marks().length > 0) setList(pages())
}

const pages = () =>
  readdirSync(join(root, 'dist/man'))
    .sort()
    .map(name => `./dist/man/${name}`)

/** The marks of those who pack, without those that are too old, from the oldest to the newest. */
function marks() {
  const found = readdirSync(packing)
    .map(name => join(packing, name))
    .map(path => ({ path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
  for (const { path, time } of found) if (Date.now() - time > longest) rmSync(path, { force: true })
  return found
    .filter(({ time }) => Date.now() - time <= longest)
    .sort((a, b) => a.time - b.time)
    .map(({ path }) => path)
}

/** @param {readonly string[] | undefined} man */
function setList(man) {
  const path = join(root, 'package.json')
  const text = readFileSync(path, 'utf8')
  const { man: _, ...manifest } = JSON.parse(text)
  const listed = `${JSON.stringify({ ...manifest, man }, undefined, 2)}\n`
  if (listed === text) return
  const { mode } = statSync(path)
  write(path, listed)
  chmodSync(path, mode)
}
