// The project's own tests under the real Node.js for Windows, where Wine is: npm run check:windows -- --tests
import { describe, expect, it } from 'vitest'
import { freshCheckout } from '../support/machine/fresh-checkout.ts'
import { isFull } from '../support/machine/full.ts'
import { noPackages } from '../support/machine/npm.ts'
import { hasWine, npm, windowsSystem } from '../support/machine/wine.ts'

describe.runIf(isFull && hasWine)('on Windows', () => {
  it('the tests pass that are known to pass', { timeout: 3_600_000 }, async ({ skip }) => {
    const system = windowsSystem() ?? skip(noPackages)
    const project = freshCheckout()
    const install = ['ci', '--os=win32', '--cpu=x64', '--ignore-scripts', '--no-audit', '--no-fund']
    if (!npm(install, project)) skip(noPackages)
    const { code, out, err } = await system.startNode(['.ci/portable.js', '--wine'], {
      cwd: project,
      env: { FULL: '' },
    }).ended
    system.close()
    process.stdout.write(out)
    expect(code, err).toBe(0)
  })
})
