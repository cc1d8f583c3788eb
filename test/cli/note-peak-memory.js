// Loaded into a command before its own code: notes the peak memory of the process, in KB, when it ends.
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread)
  process.on('exit', () => {
    const file = process.env['HOSTILE_PEAK'];
    if (file !== undefined) writeFileSync(file, String(peakKb()));
  });

/** By the kernel where it says so: what a parent had counts for `maxRSS` too. */
function peakKb() {
  try {
    const [, kb] = /^VmHWM:\s*([0-9]+) kB/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (kb !== undefined) return Number(kb);
  } catch {
    // No such file system.
  }
  return process.resourceUsage().maxRSS;
}
