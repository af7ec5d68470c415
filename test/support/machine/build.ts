import { execFileSync } from 'node:child_process'

/** Builds the program once before the tests: they run what users run. */
export default function build(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit', shell: process.platform === 'win32' })
}
