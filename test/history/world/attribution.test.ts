import { describe, expect, it } from 'vitest';
import { finds } from '../finds.ts';
import type { Item, SeenMessage } from '../../../history/seen-message.ts';
import type { Send } from '../../../history/operation.ts';
import type { Sequence } from '../../../history/sequence.ts';
import { worldOf } from '../../../history/world/world.ts';
import { allFound, authorWith, ids, itemOf, Story } from '../fixtures.ts';

const colleague = '00000000-0000-4000-8000-0000000000a9';

/** What the reader was told its name is, and the author. */
function knowing(story: Story): Story {
  story.feed([], { agent: 'author' });
  story.feed([]);
  return story;
}

/** A message by another agent that holds the marker of a send, and other words around it or none. */
function quoting(send: Send, sequence: Sequence, { by = colleague, around = 'quoted: ' } = {}): Item {
  const { digest = '', bytes = 0, marker } = send.content ?? {};
  const content = { digest: around + digest, bytes: bytes + around.length, marker };
  const id = `${by} at ${sequence}`;
  return itemOf(send, sequence, { id, content, ...authorWith({ id: by }), sizeBytes: content.bytes });
}

/** What the answer to a send shows: by an agent that no read names to its credential. */
function shownTo(send: Send): SeenMessage {
  const { message } = itemOf(send, 1);
  return { ...message, author: message.author && { ...message.author, id: ids.peer } };
}

function quotationsIn(story: Story): readonly string[] {
  return [...worldOf(story.history).quotations];
}

describe('a message with the marker of a send', () => {
  it.each([
    ['another agent quotes it', { by: colleague, around: '> ' }],
    ['another agent repeats it', { by: colleague, around: '' }],
    ['its own agent quotes it', { by: ids.author, around: '> ' }],
  ])('is a quotation where %s, and nothing is held against anybody', (_what, how) => {
    const story = knowing(new Story());
    const send = story.send();
    const quotation = quoting(send, 2, how);
    story.read([itemOf(send, 1), quotation]);
    expect(quotationsIn(story)).toEqual([quotation.id]);
    expect(allFound(story)).toEqual([]);
  });

  finds('is forwarded by others where it was not sent to, as far as nobody knows its author', [], (story) => {
    const send = story.send({ targets: [`agent:${ids.reader}`] });
    const forwarded = quoting(send, 5, { around: '' });
    const there = { ...forwarded, message: { ...forwarded.message, channel: ids.other } };
    story.read([there], { stream: ids.other });
    story.feed([there]);
  });

  it('is a quotation in another channel too, and in a feed', () => {
    const story = knowing(new Story());
    const send = story.send({ targets: [`agent:${ids.reader}`] });
    const there = quoting(send, 5, { around: '' });
    story.read([{ ...there, message: { ...there.message, channel: ids.other } }], { stream: ids.other });
    story.read([itemOf(send, 1)]);
    expect(quotationsIn(story)).toEqual([there.id]);
    expect(allFound(story)).toEqual([]);
  });

  it('shows a wrong author where no place has the right one', () => {
    const story = knowing(new Story());
    const send = story.send();
    story.read([quoting(send, 1, { around: '' })]);
    expect(quotationsIn(story)).toEqual([]);
    expect(allFound(story)).toContain('wrong-author author.is-the-agent');
  });

  it('shows a wrong author though others repeat it', () => {
    const story = knowing(new Story());
    const send = story.send();
    const echo = quoting(send, 2, { by: ids.peer, around: '' });
    story.read([quoting(send, 1, { around: '' }), echo]);
    expect(quotationsIn(story)).toEqual([echo.id]);
    expect(allFound(story)).toContain('wrong-author author.is-the-agent');
  });

  it('says nothing where the message itself may lie before what was read', () => {
    const story = knowing(new Story());
    const send = story.send();
    const echo = quoting(send, 2, { around: '' });
    story.read([echo], { after: 1 });
    expect(quotationsIn(story)).toEqual([echo.id]);
    expect(allFound(story)).toEqual([]);
  });

  it('shows altered words where no place has the right ones, though others quote them', () => {
    const story = knowing(new Story());
    const send = story.send();
    const altered = { digest: 'altered', bytes: 20, marker: send.content?.marker };
    story.read([itemOf(send, 1, { content: altered }), quoting(send, 2)]);
    expect(allFound(story)).toEqual(['content-corruption message.content.unaltered']);
  });

  it('is a copy where the same agent says the same words twice', () => {
    const story = knowing(new Story());
    const send = story.send();
    story.read([itemOf(send, 1), itemOf(send, 2, { id: 'a copy' })]);
    expect(allFound(story)).toEqual(['duplicate send.stored-once']);
  });

  it('is told by the answer to its send where nobody said whose the credential is', () => {
    const story = new Story();
    const send = story.send();
    const shown = itemOf(send, 3).message;
    Object.assign(send, { shown });
    const echo = quoting(send, 2, { around: '' });
    story.read([echo, itemOf(send, 3)]);
    expect(quotationsIn(story)).toEqual([echo.id]);
  });

  it('is a quotation in another channel, too, unless the answer says that it is of that credential', () => {
    const story = new Story();
    const send = story.send({ agent: 'api-key' });
    const echo = quoting(send, 5, { around: '', by: ids.peer });
    story.read([{ ...echo, message: { ...echo.message, channel: ids.other } }], { stream: ids.other });
    expect(quotationsIn(story)).toEqual([echo.id]);
    expect(allFound(story)).toEqual([]);
    Object.assign(send, { shown: shownTo(send) });
    expect(allFound(story)).toEqual(['cross-channel-leak send.to-the-named-channel']);
  });

  it('is no trace of a send that was never made, if it is by somebody else', () => {
    const story = knowing(new Story());
    const send = story.send();
    const content = { digest: 'renumbered', bytes: 20, marker: 'run-99.' };
    const renumbered = quoting({ ...send, content }, 2);
    story.read([itemOf(send, 1), renumbered]);
    expect(allFound(story)).toEqual([]);
  });
});

describe('a message without a marker', () => {
  const content = { digest: 'x', bytes: 1, marker: undefined };

  it('is that of the agent that sent it, though others repeat it', () => {
    const story = knowing(new Story());
    story.read([itemOf(story.send(), 1)]);
    const send = story.send({ content });
    story.read([itemOf(send, 2, { sizeBytes: 1 }), quoting(send, 3, { around: '' })], { after: 1 });
    expect(allFound(story)).toEqual([]);
  });

  it('is left open where more are there than sends that were not refused', () => {
    const story = new Story();
    story.read([itemOf(story.send(), 1)]);
    const send = story.send({ content, host: 'a host' });
    story.send({ content, outcome: 'refused', status: 400 });
    story.read([itemOf(send, 2, { sizeBytes: 1 }), quoting(send, 3, { around: '' })], { after: 1 });
    expect(worldOf(story.history).unmarked.size).toBe(1);
    expect(allFound(story)).toEqual([]);
  });

  it('shows a wrong author where nobody else sent it', () => {
    const story = knowing(new Story());
    story.read([itemOf(story.send(), 1)]);
    const send = story.send({ content });
    story.read([quoting(send, 2, { around: '' })], { after: 1 });
    expect(allFound(story)).toContain('wrong-author author.is-the-agent');
  });

  it.each([{ after: undefined }, { after: 2 }])(
    'is left open where others sent it and not all before was read: $after',
    (page) => {
      const story = knowing(new Story());
      story.read([itemOf(story.send(), 1)]);
      const send = story.send({ content });
      story.read([quoting(send, 3, { around: '' })], page);
      expect(allFound(story)).toEqual([]);
    },
  );
});

it('a message without a marker is the one that was sent, and no repetition by others, where only the answer says whose the credential is', () => {
  const story = new Story();
  story.read([itemOf(story.send(), 1)]);
  const content = { digest: 'x', bytes: 1, marker: undefined };
  const send = story.send({ agent: 'api-key', content });
  const shown = shownTo(send);
  const echo = quoting(send, 3, { around: '' });
  story.read([itemOf(send, 2, { ...shown, sequence: 2 }), echo], { after: 1 });
  const ours = (): readonly (string | undefined)[] => {
    const { streams, originAt } = worldOf(story.history);
    return [...streams.values()].flatMap((stream) =>
      stream.all.slice(1).flatMap((place) => (originAt(stream, place) ? [place.id] : [])),
    );
  };
  expect(ours()).toEqual([]);
  Object.assign(send, { shown });
  expect(ours()).toEqual([shown.id]);
});
