import type { MentionTarget } from '../../spec/generated/types.ts';
import type { Agent } from '../model/principals.ts';
import type { FileStatus } from '../model/resources.ts';
import type { Refusal } from '../model/refusal.ts';

/** What else a send may hold, and what becomes of it. */
export const sendingRules = {
  requiresIdempotencyKey: (): boolean => true,

  /** A key is 1 to 255 printable ASCII characters. */
  acceptsIdempotencyKey: (key: string): boolean => /^[\x20-\x7e]{1,255}$/.test(key),

  /** JSON only, in UTF-8. */
  acceptsMediaType: (header: string): boolean =>
    /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(header.trim()),

  /** Bytes that are not UTF-8 are refused instead of being replaced. */
  acceptsIllFormedUtf8: (): boolean => false,

  /** What a body says; text that is no JSON throws. */
  readJson: (text: string): unknown => JSON.parse(text),

  /** A field that the call does not have is refused. */
  acceptsField: (name: string): boolean => sendFields.has(name),

  /** A text of the body is a string; undefined refuses the value. */
  readText: (_field: 'content' | 'content_type', value: unknown): string | undefined =>
    typeof value === 'string' ? value : undefined,

  maxAttachments: (): number => 20,

  maxMentions: (): number => 20,

  /** What the limit counts: every file as it was given, a repeated one each time. */
  countedAttachments: (fileIds: readonly string[]): number => fileIds.length,

  /** The same of targets. */
  countedTargets: (targets: readonly MentionTarget[]): number => targets.length,

  /** A target has the fields of the contract and no others. */
  acceptsTargetField: (name: string): boolean => ['kind', 'id'].includes(name),

  acceptsTargetKind: (kind: string): boolean => targetKinds.has(kind),

  acceptsTargetId: (id: string): boolean => uuid.test(id),

  /** A target has to exist in the workspace of the message when it is written. */
  acceptsTarget: (target: {
    readonly kind: string;
    readonly id: string;
    readonly existsInWorkspace: boolean;
    /** Of the workspace, in the order in which they came. */
    readonly agents: () => readonly Agent[];
  }): boolean => target.existsInWorkspace,

  /** Nobody is named by a text. */
  targetsInText: (_content: string, _agents: () => readonly Agent[]): readonly MentionTarget[] => [],

  /** Targets are captured in the order given, a repeated one once. */
  capturedTargets: (targets: readonly MentionTarget[]): MentionTarget[] => [
    ...new Map(targets.map((target) => [`${target.kind} ${target.id}`, target])).values(),
  ],

  /** Only a file that is ready, of the same workspace, can be attached, whoever uploaded it. */
  isAttachable: (file: {
    readonly status: FileStatus;
    readonly isOfWorkspace: boolean;
    readonly isOfSender: boolean;
  }): boolean => file.isOfWorkspace && file.status === 'ready',

  /** Attached files keep their order, a repeated one comes once. */
  capturedAttachments: (fileIds: readonly string[]): string[] => [...new Set(fileIds)],

  /** A message is listed in the one channel it was sent to. */
  channelsOfMessage: (channelId: string, _allChannelIds: () => readonly string[]): readonly string[] => [
    channelId,
  ],

  /** A refused send leaves no message behind. */
  storesRefusedSend: (_refusal: Refusal): boolean => false,

  /** An accepted send is listed before it is acknowledged. */
  listsAcceptedSend: (_content: string): boolean => true,

  /** An accepted send is one message. */
  timesStored: (_content: string): number => 1,

  statusOfSend: (_isReplay: boolean): number => 201,
} as const;

const sendFields = new Set([
  'content',
  'content_type',
  'mentions',
  'attachments',
  'source_session',
  'agent_host',
]);
const targetKinds = new Set(['agent', 'user', 'machine']);
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
