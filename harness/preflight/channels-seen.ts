import { isRecord, type JsonRecord } from '../../spec/calls/index.ts';
import { type Exchange, isAccepted } from '../client/exchange.ts';
import { acceptedRoles } from '../config/roles.ts';
import type { Target } from '../config/target.ts';
import { strengthOf } from '../output/known-secrets.ts';
import type { PreflightLine } from '../results/generated/events.ts';

/** Channels that a line names; a workspace may have hundreds. */
const mostChannelsNamed = 5;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What to take as the channel of a run that has none, by a listing of channels; nothing where that lists none. */
export function channelsSeenLines(listing: Exchange): readonly PreflightLine[] {
  const channels = isAccepted(listing) ? channelsIn(listing.response?.json) : [];
  const byDefault = channels.filter(({ is_default: isDefault }) => isDefault === true);
  const [first, ...others] = [...byDefault, ...channels.filter((each) => !byDefault.includes(each))];
  if (first === undefined) return [];
  const second = others[0] === undefined ? '' : ` and \`--second-channel ${idOf(others[0])}\``;
  const named = [first, ...others].slice(0, mostChannelsNamed).map(inWords).join(', ');
  const more = others.length >= mostChannelsNamed ? ` and ${others.length + 1 - mostChannelsNamed} more` : '';
  const text = `no channel is configured, and messages are written to no other: the author is shown ${named}${more}; take \`--channel ${idOf(first)}\`${second}, or others that may be written to`;
  return [{ severity: 'warning', text }];
}

/** The records with the id of a channel in the list of an answer, wherever it keeps that. */
function channelsIn(json: unknown): readonly JsonRecord[] {
  const lists = isRecord(json) ? Object.values(json) : [json];
  const list = lists.find((each): each is readonly unknown[] => Array.isArray(each)) ?? [];
  return list.filter(isRecord).filter(({ id }) => typeof id === 'string' && uuid.test(id));
}

function idOf({ id }: JsonRecord): string {
  return String(id);
}

function inWords({ id, display_name: name, is_default: isDefault }: JsonRecord): string {
  const words = [
    ...(typeof name === 'string' ? [`“${name}”`] : []),
    ...(isDefault === true ? ['the default'] : []),
  ];
  return words.length === 0 ? String(id) : `${String(id)} (${words.join(', ')})`;
}

/** Says which credentials cannot be told from other text for sure, and so may be seen in what is printed and kept. */
export function weakCredentialLines({ roles }: Pick<Target, 'roles'>): readonly PreflightLine[] {
  const weak = acceptedRoles.filter((role) => {
    const token = roles[role]?.token;
    return token !== undefined && strengthOf(token) !== 'strong';
  });
  if (weak.length === 0) return [];
  const whose = weak.length === 1 ? 'the credential' : 'the credentials';
  const text = `${whose} of ${weak.join(', ')} can be hidden in reports only where it stands alone, for it is a common word, a short number, or under 8 characters; random credentials of 16 characters or more are hidden everywhere`;
  return [{ severity: 'warning', text }];
}
