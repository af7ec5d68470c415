// Lints the OpenAPI document that the built program prints.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './bundle.js'

const folder = mkdtempSync(join(tmpdir(), 'pubctl-openapi-'))
try {
  const document = join(folder, 'openapi.json')
  writeFileSync(document, execFileSync(process.execPath, [join(root, 'bin/pubctl.js'), 'sandbox', 'openapi']))
  const redocly = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))
  const { status } = spawnSync(
    process.execPath,
    [redocly, 'lint', document, '--extends', 'recommended-strict'],
    {
      cwd: root,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      stdio: 'inherit',
    },
  )
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
