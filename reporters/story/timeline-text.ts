import type { Timeline, TimelineOperation } from '../../harness/results/generated/events.ts';

/** Characters that the time takes, and the longest name beside it. */
const timelineWidth = 60;
const longestName = 24;

/** What shows a finding, in lines: each operation with its letter, by time, and where several clients met a picture of when. */
export function timelineText({ operations }: Timeline): readonly string[] {
  const shown = operations.filter((each): each is Lettered => each.letter !== undefined);
  const words = shown.map(
    ({ letter, client, text, isCause }) =>
      `${letter}  ${client}: ${text}${isCause === true && shown.length > 1 ? '  (the cause)' : ''}`,
  );
  const clients = [...new Set(shown.map(({ client }) => client))];
  return clients.length < 2 ? words : [...words, ...pictureOf(shown, clients)];
}

type Lettered = TimelineOperation & Required<Pick<TimelineOperation, 'letter'>>;

function pictureOf(shown: readonly Lettered[], clients: readonly string[]): readonly string[] {
  const startMs = Math.min(...shown.map((each) => each.startMs));
  const spanMs = Math.max(...shown.map(({ endMs }) => endMs - startMs), 0.001);
  const place = (ms: number): number =>
    Math.min(timelineWidth - 1, Math.floor(((ms - startMs) / spanMs) * timelineWidth));
  const nameWidth = Math.min(longestName, Math.max(...clients.map(({ length }) => length)));
  return clients.map((client) => {
    const row = Array.from({ length: timelineWidth }, () => '·');
    for (const each of shown.filter((one) => one.client === client)) {
      for (let at = place(each.startMs); at <= place(each.endMs); at += 1) row[at] = '─';
      row[place(each.startMs)] = each.letter;
    }
    const name = client.length > nameWidth ? `${client.slice(0, nameWidth - 1)}…` : client.padEnd(nameWidth);
    return `${name} ${row.join('')}`;
  });
}
