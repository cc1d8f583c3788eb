import { type Exchange, isAccepted } from '../client/exchange.ts';
import type { Target } from '../config/target.ts';
import { historyChecks } from '../judging/run-wide-checks.ts';
import type { JudgedSource } from '../run/judged-stream.ts';
import { reportWire } from '../judging/wire-report.ts';
import { wireChecks } from '../wire/wire-checks.ts';
import { WireLedger, type WireSighting } from '../wire/wire-ledger.ts';
import { conditionHeaders } from './exchange-batch.ts';
import { recordedByOthers, tokenOf } from './recorded-exchange.ts';
import { SentTexts } from './sent-texts.ts';

/** By this name the ledger of the wire has whoever asked. */
const anybody = 'traffic';

/** Credentials that are remembered at once. */
export const mostNamed = 100_000;

/** Holds each answer of traffic against the clauses about form, whoever asked for it. */
export class JudgedWire {
  readonly #names: Target['names'];
  readonly #areActorsKnown: boolean;
  readonly #sent = new SentTexts();
  readonly #ledger: WireLedger;
  /** Credentials that answers named an agent to: only those are surely no key of a workspace. */
  readonly #named = new Set<string>();
  /** To calls of the contract. */
  #asked = 0;
  #successes = 0;

  /** Where it is not known who asks, a credential is whoever uses it. */
  constructor(
    names: Target['names'],
    { areActorsKnown = false }: { readonly areActorsKnown?: boolean } = {},
  ) {
    this.#names = names;
    this.#areActorsKnown = areActorsKnown;
    const isKnown = (text: string): boolean => this.#sent.has(text);
    this.#ledger = new WireLedger({ names, runId: recordedByOthers, isSent: isKnown, isTold: isKnown });
  }

  /** Takes an exchange and whose it is, in the order in which they ended. */
  add(exchange: Exchange, token = tokenOf(exchange)): void {
    // What else a server has, such as its health, says nothing of whom it lets in.
    if (exchange.request.call !== 'other') {
      this.#asked += 1;
      if (isAccepted(exchange)) this.#successes += 1;
    }
    if (exchange.request.call === 'send') this.#sent.add(exchange);
    if (token !== undefined && agentIdIn(exchange, this.#names) !== undefined) this.#named.add(token);
    if (this.#named.size > mostNamed) this.#named.clear();
    if (isConditional(exchange)) return;
    const known = this.#areActorsKnown ? exchange : { ...exchange, actor: this.#actorOf(token) };
    this.#ledger.add(anybody, known);
  }

  /** What was seen broken, each root once. */
  get sightings(): readonly WireSighting[] {
    return this.#ledger.sightings;
  }

  /** Why nothing can be concluded: of a server that let nobody in, or was not there, all that it refused proves nothing. */
  get trouble(): string | undefined {
    if (this.#successes > 0) return undefined;
    if (this.#asked === 0) return 'no call of the contract was answered so that it can be judged';
    return `none of ${this.#asked} judged calls got a success (2xx): what a server refuses that takes nothing at all proves nothing`;
  }

  /** What is broken, by its causes, and the checks that tell of it. */
  report(): ReturnType<typeof reportWire> {
    const { causes, checks } = reportWire({
      isNarrowed: false,
      wire: this.#ledger,
      provenErrors: new Map(),
      passed: [anybody],
    });
    // Nobody is a check here.
    return {
      checks,
      causes: causes.map((cause) => cause.map(({ metIn: _metIn, cause: _cause, ...each }) => each)),
    };
  }

  #actorOf(token: string | undefined): string {
    // Of whom it is that has no credential here nobody knows: a recorder may have left it out, or somebody behind adds one.
    if (token === undefined) return 'api-key, or anonymous';
    return this.#named.has(token) ? `agent ${token}` : `api-key, or agent ${token}`;
  }
}

/** What was judged by histories, and the form of the answers beside it. */
export function withForm(source: JudgedSource, wire: JudgedWire): JudgedSource {
  const { causes, checks } = wire.report();
  const { sighted, clauses = historyChecks.flatMap((check) => check.clauses) } = source;
  return {
    checks: (scope) => [...checks, ...source.checks(scope)],
    sighted,
    causes,
    clauses: [...wireChecks.flatMap((check) => check.clauses), ...clauses],
  };
}

/** The id of the agent that an answer names in its header, in lower case. */
export function agentIdIn(
  { response }: Pick<Exchange, 'response'>,
  { agentIdHeader }: Pick<Target['names'], 'agentIdHeader'>,
): string | undefined {
  return response?.headers[agentIdHeader]?.[0]?.toLowerCase();
}

/** A request that asks for less than an answer in its usual form: a part, or nothing where nothing changed. */
export function isConditional({ request: { headers } }: Exchange): boolean {
  if (conditionHeaders.some((name) => headers[name] !== undefined)) return true;
  const accept = headers['accept'];
  return accept !== undefined && !/\*\/\*|application\/(?:\*|json)/i.test(accept);
}
