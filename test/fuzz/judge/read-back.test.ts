import { setTimeout as sleep } from 'node:timers/promises';
import { parameterOf, queryOf } from '../../../calls/index.ts';
import type { QueryDraft } from '../../../calls/index.ts';
import { describe, expect, it } from 'vitest';
import { Markers } from '../../../fuzz/cases/markers.ts';
import { ReadBack } from '../../../fuzz/judge/read-back.ts';
import type { ChannelAccess } from '../../../fuzz/judge/read-back.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';
import { defaultNames } from '../../../harness/config/target.ts';

/** A channel of which a test says what it shows. */
class Channel implements ChannelAccess {
  readonly names = defaultNames;
  readonly itemsField = 'messages';
  readonly #shown: { readonly sequence: number; readonly id: string; readonly content: string }[] = [];

  store(content: string): void {
    const sequence = this.#shown.length + 1;
    this.#shown.push({ sequence, id: `id-${sequence}`, content });
  }

  readonly sendAnchor = async (marker: string): Promise<Exchange> => {
    this.store(marker);
    return answered('send', {});
  };

  readonly read = async (query: QueryDraft): Promise<Exchange> => {
    const after = Number(parameterOf(queryOf(query), 'after') ?? 0);
    const messages = this.#shown.filter(({ sequence }) => sequence > after);
    const last = messages.at(-1)?.sequence ?? after;
    return answered('channel-read', {
      messages,
      page: { next_after: last, has_more: false, high_watermark: last },
    });
  };
}

function answered(call: 'send' | 'channel-read', json: unknown): Exchange {
  const request = { call, method: 'GET', path: '/', headers: {}, body: undefined };
  const response = { status: 200, headers: {}, bytes: Buffer.from(JSON.stringify(json)), json };
  return { id: 1, actor: 'author', request, response, fault: undefined, startedMs: 0, endedMs: 0 };
}

function shownIn({ response }: Exchange): {
  readonly messages: readonly { readonly sequence: number }[];
  readonly page: unknown;
} {
  return JSON.parse(Buffer.from(response?.bytes ?? []).toString()) as ReturnType<typeof shownIn>;
}

const storing = { content: 'x', contentType: undefined, isDefaultType: false, sourceSession: undefined };

/** What is said of a message of the author that is not there, beside a visible one that `older` sent before it. */
async function saidOfMissing(older: string): Promise<readonly string[]> {
  const markers = new Markers('ftesting');
  const channel = new Channel();
  const said = new Map<string, readonly string[]>();
  const readBack = new ReadBack<string>({
    access: channel,
    markers,
    settleMs: 1,
    onDecided: (owner, failures, isDecided) =>
      said.set(owner, isDecided ? failures.map(({ clause }) => clause) : ['inconclusive']),
  });
  // The first anchor is the author's own: retention has taken it by the time it counts.
  const read = channel.read;
  const first = markers.next();
  channel.store(first);
  await readBack.start();
  const hidden = channel as unknown as { read: ChannelAccess['read'] };
  hidden.read = async (query) => {
    const exchange = await read(query);
    const { messages, page } = shownIn(exchange);
    return answered('channel-read', { messages: messages.filter(({ sequence }) => sequence > 2), page });
  };
  const [one, other] = [markers.next(), markers.next()];
  readBack.watch(one, 'older', { speaker: older, storing: { ...storing, content: one } });
  channel.store(one);
  readBack.answered(one, 'accepted');
  await sleep(5);
  readBack.watch(other, 'missing', { speaker: 'author', storing: { ...storing, content: other } });
  readBack.answered(other, 'accepted');
  await readBack.idle();
  readBack.stop();
  return said.get('missing') ?? [];
}

describe('an accepted message that is not there', () => {
  it('is lost beside an older one of its author', async () => {
    expect(await saidOfMissing('author')).toEqual(['service.sent-is-readable']);
  });

  it('may have been taken by retention where the older one is of somebody else', async () => {
    expect(await saidOfMissing('peer')).toEqual(['inconclusive']);
  });
});
