import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of what test/support/machine/artefacts.ts makes in this run. */
    readonly artefacts: string
  }
}

/** Makes a folder for the artefacts of a run, which is gone after it. */
export default function artefactsFolder(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'pubctl-artefacts-'))
  // A journey runs what is in it as another user.
  chmodSync(folder, 0o755)
  project.provide('artefacts', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
