import { readFileSync } from 'node:fs';

/** What the system says of the memory of a process, in kB: the most it has held, what is its own, and pages of files. */
type Kind = 'VmHWM' | 'RssAnon' | 'RssFile';

/**
 * The most memory that this process has held, in MB. What the system says of a child by itself counts in the process that started it, up to the
 * moment in which the child became another program.
 */
export function peakMegabytes(pid: number | 'self' = 'self'): number {
  return kilobytesOf(pid, 'VmHWM') / 1e3;
}

export function kilobytesOf(pid: number | 'self', kind: Kind): number {
  const [, kilobytes = '0'] =
    new RegExp(`${kind}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes);
}

/** A process and those that it has started. */
export function withChildren(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return [pid, ...children.map(Number)];
}
