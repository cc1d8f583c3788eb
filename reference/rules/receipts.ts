import type { MessageReceipts } from '../../spec/generated/types.ts';
import type { Agent } from '../model/principals.ts';
import type { RouteName } from '../model/routes.ts';

/** One agent's report that it retrieved one message. */
export interface Receipt {
  /** Place in the order of recording. */
  readonly sequence: bigint;
  readonly messageId: string;
  readonly agentId: string;
  readonly recordedMs: number;
}

/** A receipt as the full list shows it. */
export interface OutgoingReceipt {
  readonly message_id: string;
  readonly agent_id: string;
  readonly kind: string;
  readonly recorded_at: string;
}

/** Who is said to have retrieved a message. */
export const receiptRules = {
  /** Only a client's report is a receipt; serving a page is not. */
  recordsRetrievalOnRead: (_route: RouteName): boolean => false,

  /** Nor is sending a message: its author reports like anybody. */
  recordsAuthorOnSend: (): boolean => false,

  previewSize: (): number => 32,

  /** The author of a message is not among its readers. */
  isPreviewed: (receipt: Receipt, authorId: string, _agent?: () => Agent | undefined): boolean =>
    receipt.agentId !== authorId,

  /** A retrieval that no preview lists is not announced by one either. */
  isAnnounced: (_receipt: Receipt, _authorId: string): boolean => false,

  /** Earlier first report first, then by UUID. */
  compareReceipts: (left: Receipt, right: Receipt): number =>
    left.recordedMs - right.recordedMs || (left.agentId < right.agentId ? -1 : 1),

  /** A receipt bears the time of the service, never that of a client. */
  recordedMs: (nowMs: number): number => nowMs,

  /** Each message that a report names counts, whichever place it has there. */
  countsInReport: (_place: number): boolean => true,

  /** The time of a receipt is that of its first report. */
  keepsFirstReport: (): boolean => true,

  /** One element of the full list. */
  presentReceipt: (receipt: OutgoingReceipt): OutgoingReceipt => receipt,

  /** `has_more` is there only to say true. */
  presentReceipts: (agentIds: readonly string[], isMore: boolean): MessageReceipts | undefined => ({
    retrieved: { agent_ids: [...agentIds], ...(isMore && { has_more: true as const }) },
  }),
} as const;
