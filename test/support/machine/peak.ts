import { readFileSync } from 'node:fs'

/** The most memory that a process has had so far, in MiB, by the kernel's own account; 0 if there is no such process. */
export function peakOf(pid: number | undefined): number {
  try {
    const [, kilobytes = 0] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1024
  } catch {
    return 0
  }
}
