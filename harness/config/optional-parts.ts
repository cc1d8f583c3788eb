import { type ClauseId, clauses } from '../../spec/index.ts';
import type { NeedName } from './capabilities.ts';

/** What a target file can say that its server is without. */
export const withoutNames = [
  'receipts',
  'details',
  'files',
  'source_session',
  'agent_host',
  'discovery',
  'limits',
] as const;

export type WithoutName = (typeof withoutNames)[number];

/** Parts that a conforming server may be without. */
export type OptionalPart = WithoutName | 'receipts_list';

/** What belongs to such a part, and how it shows. */
interface PartExtent {
  /** As in `this server has no receipts`. */
  readonly words: string;
  /** What checks and clauses of this part need of a target. */
  readonly needs?: readonly NeedName[];
  /** Beginnings of the rules of schemas that speak of it. */
  readonly schema?: readonly string[];
  /** Clauses of this part alone, whatever they need. */
  readonly clauses?: readonly ClauseId[];
  /** Clauses that only a server with this part can keep or break. */
  readonly shownBy: readonly ClauseId[];
}

/** By name, each with what the contract says of servers that lack it. */
const partExtents: Readonly<Record<OptionalPart, PartExtent>> = {
  // Older servers show no receipts.
  receipts: {
    words: 'receipts',
    needs: ['report-receipt-binding'],
    schema: ['message-receipts#', 'message#/properties/receipts'],
    clauses: [
      'receipts.client-reported',
      'receipts.has-more.only-beyond-the-preview',
      'mentions.records-no-retrieval',
    ],
    shownBy: ['message.receipts.type', 'receipts.retrieved.present'],
  },
  // The list is of what messages show a preview of: where they show none, there may be none.
  receipts_list: {
    words: 'receipts',
    needs: ['list-receipts-binding'],
    clauses: ['receipts-list.answers', 'receipts-list.paginates-all'],
    shownBy: ['receipts-list.answers'],
  },
  // A field of errors that need not be there.
  details: {
    words: 'details in its errors',
    schema: ['api-error#/properties/error/properties/details'],
    shownBy: ['api-error.details.type'],
  },
  // Messages may carry files; how a server is given one is not shown.
  files: {
    words: 'files',
    needs: ['attachments-binding', 'file-binding', 'files', 'file-hook'],
    schema: ['workspace-file#', 'message#/properties/attachments'],
    shownBy: ['file.id.present', 'file.visible-to-the-workspace', 'file.download-is-intact'],
  },
  // An author need not have one; how a send carries it is not shown.
  source_session: {
    words: 'source sessions',
    needs: ['source-session-binding'],
    schema: ['source-session#', 'message-author#/properties/source_session'],
    shownBy: ['source-session.provider.present', 'source-session.valid-is-accepted'],
  },
  agent_host: {
    words: 'agent hosts',
    needs: ['agent-host-binding'],
    schema: ['message-author#/properties/agent_host'],
    shownBy: ['author.agent-host.length', 'author.agent-host.captured-at-write'],
  },
  // Named among the capabilities, with neither paths nor payloads.
  discovery: {
    words: 'discovery that is open to anyone',
    needs: ['discovery-binding'],
    shownBy: ['discovery.needs-no-credential'],
  },
  // Limits on requests have no numbers: where there is none, none is reached.
  limits: {
    words: 'limits on requests',
    needs: ['limit-hook'],
    shownBy: ['errors.limits-reached-are-429', 'errors.retry-after-present', 'errors.limit-elsewhere-is-429'],
  },
};

const optionalParts = Object.keys(partExtents) as readonly OptionalPart[];

/** What a server is without, as in `this server has no receipts`. */
export function wordsOfPart(part: OptionalPart): string {
  return partExtents[part].words;
}

/** The parts that a target file means by a name. */
export function partsMeant(name: WithoutName): readonly OptionalPart[] {
  return name === 'receipts' ? ['receipts', 'receipts_list'] : [name];
}

/** Clauses that show a part by being decided, whichever way. */
export function shownBy(part: OptionalPart): readonly ClauseId[] {
  return partExtents[part].shownBy;
}

/** The parts that something with these needs is about. */
export function partsNeeded(needs: readonly string[]): readonly OptionalPart[] {
  return optionalParts.filter((part) => partExtents[part].needs?.some((need) => needs.includes(need)));
}

/** The parts that a clause is about: at a server without one of them it says nothing. */
export function partsOfClause(clause: string): readonly OptionalPart[] {
  return byClause.get(clause) ?? [];
}

const byClause: ReadonlyMap<string, readonly OptionalPart[]> = new Map(
  clauses.map(({ id, needs, schema }) => {
    const own = optionalParts.filter((part) => partExtents[part].clauses?.includes(id));
    if (own.length > 0) return [id, own];
    const needed = partsNeeded(needs);
    const isOf = (part: OptionalPart): boolean =>
      needed.includes(part) ||
      schema.some((rule) => partExtents[part].schema?.some((beginning) => rule.startsWith(beginning)));
    return [id, optionalParts.filter(isOf)];
  }),
);
