import type { Operation, Read, Report } from '../../operation.ts';
import type { SeenMessage } from '../../seen-message.ts';
import type { Span } from '../../world/changes.ts';
import { isOneAgent } from '../../world/principals.ts';
import type { World } from '../../world/world.ts';

/** What one credential reported in one channel, or of one message there. */
interface Reported {
  /** The first by its end, and the first two by their begins. */
  readonly first: Report;
  earliest: readonly Report[];
  areAccepted: boolean;
}

/** The first report of an agent for a message, and what told whose it was. */
export interface FirstReport {
  readonly first: Report;
  readonly named: Read | undefined;
}

/**
 * Who reported what. Of a message count the reports of its channel, those that name none, and those elsewhere that name the message:
 * whether a server looks at the channel of one is not stated.
 */
export class Reports {
  readonly #principals: World['principals'];
  readonly #all: World['reportsOf'];
  /** By whoever reported, and the channel. */
  readonly #inChannel = new Map<string, Reported>();
  /** By whoever reported, and the message: what was reported in each channel. */
  readonly #naming = new Map<string, Map<string, Reported>>();
  /** By whoever reported, and the channel: what names no message. */
  readonly #namingNothing = new Map<string, Reported>();

  constructor({ reportsOf, principals }: World) {
    this.#principals = principals;
    this.#all = reportsOf;
    for (const [channel, reports] of reportsOf)
      for (const report of reports) {
        const who = whose(report);
        note(this.#inChannel, keyOf(who, channel), report);
        if (report.messages.length === 0) note(this.#namingNothing, keyOf(who, channel), report);
        for (const id of new Set(report.messages)) {
          const key = keyOf(who, id);
          const known = this.#naming.get(key) ?? new Map<string, Reported>();
          this.#naming.set(key, known);
          note(known, channel, report);
        }
      }
  }

  /** When the first report began that may be by one of these credentials and for a message, in ms; `Infinity` where none may. */
  firstMs({ channel = '', id = '' }: SeenMessage, credentials: readonly string[]): number {
    const all = [...credentials, anybody].flatMap((who) => [
      this.#inChannel.get(keyOf(who, channel)),
      this.#inChannel.get(keyOf(who, '')),
      ...(this.#naming.get(keyOf(who, id))?.values() ?? []),
    ]);
    return all.reduce((least, each) => Math.min(least, each?.earliest[0]?.startedMs ?? Infinity), Infinity);
  }

  /** The only report by some time, in ms, that names a message, or nothing, and may be by an agent; `undefined` where there may be several. */
  onlyOne({ channel = '', id = '' }: SeenMessage, agent: string, byMs: number): FirstReport | undefined {
    const named = this.#principals.namedBy(agent);
    const [first, second] = [...this.#principals.credentialsOf(agent), anybody]
      .flatMap((who) => [
        ...(this.#naming.get(keyOf(who, id))?.values() ?? []),
        ...[channel, ''].map((of) => this.#namingNothing.get(keyOf(who, of))),
      ])
      .flatMap((each) => each?.earliest ?? [])
      .toSorted(byBegin);
    if (first === undefined || named === undefined || (second?.startedMs ?? Infinity) < byMs)
      return undefined;
    return { first, named };
  }

  /** Whether a report that may be by an agent and for a message was under way between two times, in ms; always of one that nobody knows. */
  mayBeBetween({ channel = '', id = '' }: SeenMessage, agent: string, { fromMs, toMs }: Span): boolean {
    const credentials = this.#principals.credentialsOf(agent);
    if (credentials.length === 0) return true;
    for (const [of, reports] of this.#all)
      for (const report of reports) {
        const isFor = of === channel || of === '' || report.messages.includes(id);
        const isBy = [...credentials, anybody].includes(whose(report));
        if (isFor && isBy && report.endedMs > fromMs && report.startedMs < toMs) return true;
      }
    return false;
  }

  /**
   * The first report of an agent for a message, if all that may be one by its own credentials are certain: one that goes to another channel is
   * not.
   */
  firstOf({ channel, id }: SeenMessage, agent: string): FirstReport | undefined {
    const credentials = this.#principals.credentialsOf(agent);
    if (channel === undefined || id === undefined) return undefined;
    const naming = credentials.flatMap((who) => this.#naming.get(keyOf(who, id)) ?? []);
    const isElsewhere = naming.some((each) => [...each.keys()].some((of) => of !== channel && of !== ''));
    const areCertain = credentials.every((who) =>
      [channel, ''].every((of) => this.#inChannel.get(keyOf(who, of))?.areAccepted ?? true),
    );
    if (isElsewhere || !areCertain) return undefined;
    const firstIn = (of: string): Report | undefined =>
      naming
        .flatMap((each) => each.get(of)?.first ?? [])
        .toSorted((one, other) => one.index - other.index)[0];
    const first = firstIn(channel) ?? firstIn('');
    return first && { first, named: this.#principals.namedBy(agent) };
  }
}

/** Which agent a key acts for is left open. */
export const anybody = '';

/** Whose operation it is: its credential, or anybody's. */
export function whose({ agent }: Operation): string {
  return isOneAgent(agent) ? agent : anybody;
}

/** Neither has a line break. */
export function keyOf(who: string, what: string | undefined): string {
  return `${who}\n${what}`;
}

function note(all: Map<string, Reported>, key: string, report: Report): void {
  const known = all.get(key);
  const areAccepted = report.outcome === 'accepted';
  if (known === undefined) all.set(key, { first: report, earliest: [report], areAccepted });
  else {
    known.earliest = [...known.earliest, report].toSorted(byBegin).slice(0, 2);
    known.areAccepted &&= areAccepted;
  }
}

function byBegin(one: Report, other: Report): number {
  return one.startedMs - other.startedMs;
}
