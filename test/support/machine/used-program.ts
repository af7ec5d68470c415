import type { TestProject } from 'vitest/node'
import { compile } from './compiled-code.ts'
import { makeSandbox } from './new-sandbox.ts'

/** Has the program leave, before all tests, what their processes begin with: its compiled code and a sandbox. */
export default async function useProgram(project: TestProject): Promise<() => void> {
  const ends = await Promise.all([compile(project), makeSandbox(project)])
  return () => {
    for (const end of ends) end()
  }
}
