import { readFileSync } from 'node:fs';

/**
 * The most memory that this process has held, in MB. What the system says of a child by itself counts in the process that started it, up to the
 * moment in which the child became another program.
 */
export function peakMegabytes(pid: number | 'self' = 'self'): number {
  const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1e3;
}
