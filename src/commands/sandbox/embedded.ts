import { join } from 'node:path'
import type { EmbeddedSandbox } from '../../cli/context.ts'
import { parseDuration } from '../../cli/option-types.ts'
import { directoriesOf } from '../../config/paths.ts'
import { variable } from '../../config/variables.ts'
import { UsageFailure } from '../../system/errors.ts'
import { checkOwnership } from '../../system/ownership.ts'
import type { World } from '../../system/world.ts'

/** Starts the sandbox in this process, and returns its address and the key with full rights. */
export async function openEmbeddedSandbox(world: World): Promise<EmbeddedSandbox> {
  const { startService: startSandbox } = await import('../../sandbox/index.ts')
  const delay = durationIn(world, 'PUBCTL_SANDBOX_DELAY')
  const sandbox = await startSandbox({
    dataDir: dataDirOf(world),
    faults: await faultsOf(world),
    ...(delay === undefined ? {} : { processingDelayMs: delay }),
  })
  const key = sandbox.keys.find(({ name }) => name === 'full')?.key ?? ''
  return { baseUrl: sandbox.baseUrl, key, close: sandbox.close }
}

/** The faults to inject, from `--fault` or PUBCTL_SANDBOX_FAULTS. Throws UsageFailure. */
export async function faultsOf(world: World, flags?: readonly string[]) {
  const { parseFaults } = await import('../../sandbox/index.ts')
  // Read even where a flag overrides it, because an empty variable is always an error.
  const setting = variable(world.env, 'PUBCTL_SANDBOX_FAULTS')
  if (flags) return parseFaults(flags, '--fault', parseDuration)
  return parseFaults(setting === undefined ? [] : [setting], 'PUBCTL_SANDBOX_FAULTS', parseDuration)
}

/** The duration in a variable, in milliseconds. Throws UsageFailure. */
function durationIn({ env }: World, name: `PUBCTL_${string}`): number | undefined {
  const text = variable(env, name)
  try {
    return text === undefined ? undefined : parseDuration(text)
  } catch (error) {
    if (!(error instanceof UsageFailure)) throw error
    throw new UsageFailure(`${name}: ${error.message}`, { hint: error.hint ?? '' })
  }
}

/** The data directory of the sandbox: that of `--data-dir`, else the default. */
export function dataDirOf(world: World, chosen?: string): string {
  if (chosen !== undefined) return chosen
  const { dataDir } = directoriesOf(world)
  checkOwnership(dataDir)
  return join(dataDir, 'sandbox')
}
