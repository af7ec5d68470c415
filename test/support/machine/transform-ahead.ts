import type { TestProject } from 'vitest/node'

/**
 * Transforms the tests that are to run, and what they import, while what follows waits for the build, which leaves a processor
 * idle. The workers would otherwise ask for one module after another when they begin.
 */
export default function transformAhead({ vite, vitest }: TestProject): void {
  const { ssr } = vite.environments
  const begun = new Set<string>()
  const transform = async (url: string): Promise<void> => {
    if (begun.has(url)) return
    begun.add(url)
    const { deps = [] } = (await ssr?.transformRequest(url)) ?? {}
    await Promise.all(deps.filter(dep => /^\/(src|test)\//.test(dep)).map(transform))
  }
  const transformAll = async () => {
    for (const path of vitest.state.getPaths()) await transform(path)
  }
  // What cannot be transformed fails again for the test that asks for it, and says so there.
  transformAll().catch(() => {})
}
