import { isRecord } from '../../calls/index.ts';
import type { NamedTarget } from '../messages/targets.ts';
import { reject, open } from './expected.ts';
import type { Aspect } from './expected.ts';

const mostHostCharacters = 80;
const mostTargets = 20;

/** Printable ASCII without blanks at its ends: as long however one counts. */
const plainHost = /^[!-~](?:[ -~]*[!-~])?$/;

/** Whether a host is within its bounds; that one has to be taken is not said. */
export function agentHostAspect(host: unknown): Aspect {
  const isOut =
    host === '' || (typeof host === 'string' && plainHost.test(host) && host.length > mostHostCharacters);
  return isOut ? reject('author.agent-host.out-of-range-refused', 'length') : open;
}

/** Names, addresses and UUIDs with a digit too many or too few: no spelling of an id. */
const noId =
  /^(?:|@?[a-z]+(?:-one)?|[a-z]+@[a-z]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-(?:[0-9a-f]{11}|[0-9a-f]{13}))$/;

/** Whether there are too many mention targets, or one is invalid; the contract does not require that any is accepted. */
export function mentionsAspect(targets: unknown): Aspect {
  if (!Array.isArray(targets)) return open;
  const areRecords = targets.every((each) => isTarget(each));
  if (!areRecords) return open;
  // Of those that are named twice a server may keep one.
  const different = new Set(targets.map(({ kind, id }) => `${kind} ${id.toLowerCase()}`));
  if (targets.length > mostTargets && different.size <= mostTargets) return open;
  if (different.size > mostTargets) return reject('send.mentions-over-limit', 'more than 20');
  const isNone = targets.some(({ id }) => noId.test(id));
  return isNone ? reject('message.mentions.validated', 'no UUID') : open;
}

/** A mention target as the contract shows it, whatever its id is. */
export function isTarget(value: unknown): value is NamedTarget {
  if (!isRecord(value) || Object.keys(value).length !== 2) return false;
  const { kind, id } = value;
  return (kind === 'agent' || kind === 'user' || kind === 'machine') && typeof id === 'string';
}
