import type { CommandHook, HookName, UrlHook } from '../config/target.ts';
import type { KnownSecrets } from '../output/known-secrets.ts';
import { cut } from '../output/printable.ts';
import type { PostEnd } from './hook-post.ts';
import { maxOutputBytes, type ProcessEnd } from './hook-process.ts';
import type { StayingEnd } from './staying-process.ts';

const maxQuotedLength = 500;

/** How a command ended, as a clause whose subject is the hook. */
export function describeEnd(name: HookName, end: ProcessEnd, { command, timeoutMs }: CommandHook): string {
  switch (end.kind) {
    case 'exited':
      return `it exited with status ${end.status}`;
    case 'killed':
      return `it was killed by ${end.by}`;
    case 'timed-out':
      return `it took longer than ${timeoutMs} ms and was ended (\`hooks.${name}.timeout_ms\` allows more)`;
    case 'flooded':
      return `it printed more than ${maxOutputBytes} bytes and was ended; stdout takes one JSON object or nothing`;
    case 'unstartable':
      return `\`${command[0] ?? ''}\` cannot be started (${end.code})`;
    case 'aborted':
      return 'it was interrupted';
  }
}

/** How a call of a process that stays ended, as a clause whose subject is the hook. */
export function describeStayingEnd(
  name: HookName,
  end: StayingEnd,
  { command, timeoutMs }: CommandHook,
): string {
  switch (end.kind) {
    case 'answered':
      return 'it answered';
    case 'aborted':
      return 'it was interrupted';
    case 'refused':
      return `it answered with the error ${end.error}`;
    case 'died':
      return `its process ${end.how}, and so did the one before it`;
    case 'timed-out':
      return `it gave no answer within ${timeoutMs} ms (\`hooks.${name}.timeout_ms\` allows more)`;
    case 'flooded':
      return `it printed a line of more than ${maxOutputBytes} bytes and was ended`;
    case 'garbled':
      return 'a line of its stdout does not answer any request as {"id": …, "output": {…}}, and it was ended; logs belong on stderr';
    case 'unstartable':
      return `\`${command[0] ?? ''}\` cannot be started (${end.code})`;
  }
}

/** How a POST ended, as a clause whose subject is the server that was asked. */
export function describePostEnd(name: HookName, end: PostEnd, { timeoutMs }: UrlHook): string {
  switch (end.kind) {
    case 'aborted':
      return 'was interrupted';
    case 'answered': {
      const isRedirect = end.status >= 300 && end.status < 400;
      const words = cut(Buffer.from(end.bytes).toString(), 400);
      const body = words.trim() === '' ? '' : `: ${words}`;
      return `answered with status ${end.status}${isRedirect ? ', and redirects are not followed' : body}`;
    }
    case 'timed-out':
      return `gave no answer within ${timeoutMs} ms (\`hooks.${name}.timeout_ms\` allows more)`;
    case 'flooded':
      return `answered with more than ${maxOutputBytes} bytes; an answer is one JSON object or nothing`;
    case 'unreachable':
      return `cannot be asked (${end.code})`;
  }
}

/** The end of what was said on stderr, to be put behind a failure; empty when that is nothing. */
export function quotedStderr(stderr: string, secrets: KnownSecrets): string {
  const words = oneLine(stderr.trim().split('\n').slice(-5).join(' | '), secrets);
  return words === '' ? '' : `; the end of its stderr: ${words}`;
}

/** A text of somebody else's on one line, bounded and without secrets. */
export function oneLine(text: string, secrets: KnownSecrets): string {
  const clean = secrets
    .clean(text)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return clean.length > maxQuotedLength ? `…${clean.slice(-maxQuotedLength)}` : clean;
}
