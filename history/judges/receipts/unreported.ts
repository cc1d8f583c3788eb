import type { Operation } from '../../operation.ts';
import { messageRoot, type Finding, type Findings } from '../../anomalies/findings.ts';
import { ackOf, type Showing } from '../../world/sight.ts';
import type { Stream } from '../../world/stream.ts';
import { type Named, Reads } from './reads.ts';
import { agentsOf, type Seeing } from './seeing.ts';

/** So many agents that never reported are kept. */
const mostKept = 1_000;

/** An agent that is listed, and had not reported the message by then. */
interface Reader extends Named {
  /** Whether it ever reports: then a program beside may report for it, too. */
  readonly isReporting: boolean;
}

/**
 * Agents of the run that are listed for a message of the run though none of their credentials had reported anything by then. Each is
 * told of where it read that message, and a form that was shown long after it was accepted lacks the agent: a program beside that reports
 * what comes would have done so before.
 */
export class Unreported {
  readonly #seeing: Seeing;
  readonly #reads: Reads;
  readonly #found: { readonly agent: string; readonly finding: Finding }[] = [];
  /** Listed for a message that they had not even read: somebody reports in their name. */
  readonly #reportedByOthers = new Set<string>();
  /** They have read a message, and long after were not listed for it: where they are, something else has put them there. */
  readonly #unlistedReaders = new Set<string>();

  constructor(seeing: Seeing) {
    this.#seeing = seeing;
    this.#reads = new Reads(seeing.world);
  }

  /** Looks at whom a form lists, and whether it lists its own reader. */
  note({ isFeed }: Stream, showing: Showing): void {
    const { world, reports } = this.#seeing;
    const { item, knownBy } = showing;
    const { message } = item;
    // Of traffic nobody knows in which other ways its clients report.
    if (world.history.facts.isPartial === true) return;
    this.#countReader(isFeed, showing);
    // Messages of others may have been reported by the same agent in another run.
    if (world.originOf(message) === undefined || message.channel === undefined) return;
    for (const agent of agentsOf(showing)) {
      const credentials = world.principals.credentialsOf(agent);
      if (credentials.length === 0 || agent === message.author?.id) continue;
      const firstMs = reports.firstMs(message, credentials);
      // What began when an answer ended may have come before it.
      if (firstMs > knownBy.endedMs)
        this.#judge(showing, { agent, credentials, isReporting: firstMs < Infinity });
    }
  }

  addTo(findings: Findings): void {
    for (const { agent, finding } of this.#found) {
      const isOfReading = finding.clause === 'receipts.client-reported';
      const hasOtherCause = isOfReading && this.#unlistedReaders.has(agent);
      if (!hasOtherCause && !this.#reportedByOthers.has(agent)) findings.add(finding);
    }
  }

  /** A reader that is not among the retrievals when a later read shows them. */
  #countReader(isFeed: boolean, showing: Showing): void {
    const { findings, world } = this.#seeing;
    const { knownBy, lastBy, item } = showing;
    const reader = world.principals.idOf(knownBy.agent);
    if (reader === undefined || reader === item.message.author?.id || lastBy.startedMs <= knownBy.endedMs)
      return;
    if (agentsOf(showing).includes(reader)) return;
    findings.count(isFeed ? 'mentions.records-no-retrieval' : 'receipts.client-reported');
    if (!isFeed && lastBy.startedMs > knownBy.endedMs + world.settleMs) this.#unlistedReaders.add(reader);
  }

  #judge({ item: { message }, place, knownBy }: Showing, reader: Reader): void {
    const { agent, credentials, isReporting } = reader;
    const { world, unlisted } = this.#seeing;
    const readBy = (each: string, stream: string): Operation[] => {
      const read = this.#reads.first(stream, each, message);
      return read !== undefined && read.startedMs < knownBy.endedMs ? [read] : [];
    };
    const [inChannel] = credentials.flatMap((each) => readBy(each, `channel ${message.channel}`));
    const [inFeed] = credentials.flatMap((each) => readBy(each, `feed ${each}`));
    const read = inChannel ?? inFeed;
    if (read === undefined) this.#reportedByOthers.add(agent);
    if (read === undefined || this.#found.length >= mostKept) return;
    // What else may have put it there.
    const other = inChannel ?? this.#reads.mayHaveShown(message, credentials, knownBy.endedMs);
    const listedOnly =
      other === undefined
        ? this.#reads.unreportedBefore(place, reader, knownBy.endedMs + world.settleMs)
        : undefined;
    if (listedOnly === undefined && isReporting) return;
    const ackedMs = ackOf(place)?.endedMs ?? Number.POSITIVE_INFINITY;
    const without = listedOnly ?? unlisted.since(place, agent, ackedMs + world.settleMs);
    if (without === undefined) return;
    const named = world.principals.namedBy(agent);
    this.#found.push({
      agent,
      finding: {
        name: 'receipt-on-read',
        clause: listedOnly === undefined ? 'receipts.client-reported' : 'mentions.records-no-retrieval',
        expected: `message ${String(message.id)}: agent ${agent} not among its retrievals, since it only ${
          inChannel === undefined ? 'listed it among its mentions' : 'read it'
        }`,
        actual: 'it is listed',
        witness: [read, knownBy, world.causeOf(message), named, other, without.lastBy, ackOf(without.place)],
        decides: knownBy,
        root: messageRoot(message),
      },
    });
  }
}
