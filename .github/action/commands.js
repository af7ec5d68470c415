// What a step says to the runner of GitHub Actions, on standard output and in files.
import { appendFileSync, writeSync } from 'node:fs'

/** Characters that control a terminal or reorder text, line breaks aside. */
const unprintable =
  /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const escapeData = text =>
  text.replace(unprintable, ' ').replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = text => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** Makes an annotation: `error`, `warning` or `notice`. Properties that are undefined are left out. */
export function annotate(kind, message, properties = {}) {
  const given = Object.entries(properties).filter(([, value]) => value !== undefined)
  const listed = given.map(([name, value]) => `${name}=${escapeProperty(String(value))}`).join(',')
  say(`::${kind}${listed && ` ${listed}`}::${escapeData(message)}`)
}

/** Prints a line at once, so that it comes before what another process prints. */
export const say = line => void writeSync(1, `${line}\n`)

/** Sets an output of the step. */
export const setOutput = (name, value) => appendFileSync(process.env.GITHUB_OUTPUT, `${name}=${value}\n`)
