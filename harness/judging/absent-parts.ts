import { idAt } from '../../spec/calls/index.ts';
import { withoutNames, partsMeant, shownBy, wordsOfPart } from '../config/optional-parts.ts';
import type { OptionalPart } from '../config/optional-parts.ts';
import type { Target } from '../config/target.ts';
import { isAccepted, notThere, type Exchange } from '../client/exchange.ts';
import type { CheckEvent } from '../results/generated/events.ts';
import type { WireLedger } from '../wire/wire-ledger.ts';

/** Answers of one kind from which a run learns that none of them shows something: all of a whole run, none by chance. */
const fewestAnswers = 20;
/** Times that a call has to be refused as not there, at different times of a run. */
const fewestRefusals = 2;

/** What a server does not have, as far as a run can tell. */
interface AbsentParts {
  /** Why nothing of a part can be asked of this server. */
  readonly absent: ReadonlyMap<OptionalPart, string>;
  /** What the target says and the run saw otherwise, a sentence each. */
  readonly contradicted: readonly string[];
}

/** Looks at what a server answers to calls that not every server has. */
export class ReceiptsWatch {
  readonly #target: Pick<Target, 'channelId' | 'bindings'>;
  readonly #listStatuses: number[] = [];
  #isListed = false;
  #isReported = false;
  #isReportTried = false;

  constructor(target: Pick<Target, 'channelId' | 'bindings'>) {
    this.#target = target;
  }

  /** Only the author in its own channel is an answer awaited from which something follows. */
  note(exchange: Exchange): void {
    const { actor, request, response, fault } = exchange;
    if (response === undefined || fault !== undefined) return;
    if (request.call === 'receipts-list') {
      this.#isListed ||= isAccepted(exchange);
      const isOwn = request.path.includes(this.#target.channelId ?? ' ');
      if (isOwn && actor === 'author') this.#listStatuses.push(response.status);
    } else if (this.#isReport(exchange)) {
      this.#isReported ||= isAccepted(exchange);
      this.#isReportTried ||= isAccepted(exchange) || notThere.includes(response.status);
    }
  }

  /** Whether somebody was shown a list. */
  get isListed(): boolean {
    return this.#isListed;
  }

  /** Whether a report was taken that messages could show. */
  get isReported(): boolean {
    return this.#isReported;
  }

  /** The status by which the list is known not to be there: nothing else was answered, and reports were tried too. */
  get listIsGone(): number | undefined {
    const [first] = this.#listStatuses;
    const isSure = this.#listStatuses.length >= fewestRefusals && this.#isReportTried && !this.#isListed;
    return isSure && this.#listStatuses.every((status) => notThere.includes(status)) ? first : undefined;
  }

  #isReport({ request: { call, method, path } }: Exchange): boolean {
    const isThere = idAt(this.#target.bindings.reportReceipt, path) !== undefined;
    return call === 'other' && method === 'POST' && isThere;
  }
}

/** What a run has to tell. */
interface Seen {
  /** Only some checks ran, or none that writes: then what did not show may show elsewhere. */
  readonly isNarrowed: boolean;
  readonly target: Pick<Target, 'without'>;
  readonly wire: Pick<WireLedger, 'exercisedTimes'>;
  readonly receipts: Pick<ReceiptsWatch, 'isListed' | 'isReported' | 'listIsGone'>;
  readonly events: readonly Pick<CheckEvent, 'clauses'>[];
}

/**
 * What this server is without: learned from clear answers of a whole run, or said by the target where the run shows nothing
 * else. A part that was seen once is there.
 */
export function absentParts(seen: Seen): AbsentParts {
  const { without = [] } = seen.target;
  const learned = seen.isNarrowed ? new Map<OptionalPart, string>() : learnedOf(seen);
  const stated = withoutNames.filter((name) => without.includes(name));
  const wrong = stated.filter((name) => partsMeant(name).some((part) => isShown(part, seen)));
  const said = stated
    .filter((name) => !wrong.includes(name))
    .flatMap((name) => partsMeant(name))
    .map((part) => [part, `the target says that this server has no ${wordsOfPart(part)}`] as const);
  return {
    absent: new Map([...said, ...learned]),
    contradicted: wrong.map(
      (name) =>
        `the target says under \`without\` that this server has no ${wordsOfPart(name)}, and it has shown some: take \`${name}\` out`,
    ),
  };
}

/** Fields that never came although there was every reason, and a call that is not there. */
function learnedOf(seen: Seen): ReadonlyMap<OptionalPart, string> {
  const { wire, receipts } = seen;
  const learned = new Map<OptionalPart, string>();
  if (wire.exercisedTimes('api-error.error.present') >= fewestAnswers && !isShown('details', seen))
    learned.set('details', `this server has no ${wordsOfPart('details')}`);
  if (wire.exercisedTimes('message.id.present') < fewestAnswers || isShown('receipts', seen)) return learned;
  const { listIsGone: status } = receipts;
  if (status !== undefined) {
    const text = `this server has no ${wordsOfPart('receipts')} (${status})`;
    return learned.set('receipts', text).set('receipts_list', text);
  }
  if (receipts.isListed && receipts.isReported)
    learned.set('receipts', 'the messages of this server show no receipts');
  return learned;
}

function isShown(part: OptionalPart, { wire, receipts, events }: Seen): boolean {
  const decided = (clause: string): boolean =>
    events.some(({ clauses }) =>
      clauses.some((each) => each.clause === clause && each.verdict !== 'inconclusive'),
    );
  const isListed = part === 'receipts_list' && receipts.isListed;
  return isListed || shownBy(part).some((clause) => wire.exercisedTimes(clause) > 0 || decided(clause));
}
