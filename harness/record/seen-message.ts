import { isRecord, type JsonRecord } from '../../spec/calls/index.ts';
import type { Intern } from '../../history/intern.ts';
import type {
  Item,
  SeenAuthor,
  SeenMessage,
  SeenPrincipal,
  SeenReceipts,
} from '../../history/seen-message.ts';
import { sequenceOf } from '../../history/sequence.ts';
import { inNeutralWords, type ProviderWords } from '../../spec/oracles/requests/session-faults.ts';
import { asText } from '../../spec/oracles/values/json-texts.ts';
import { isSameJson } from '../client/json-path.ts';
import type { PageItem } from '../stream/page.ts';

/** Contents up to so many UTF-16 units are kept with their item, to know it again. */
const longestKept = 4_000;
/** Items that are known again at once: who reads many pages of a stream reads the newest and the oldest again and again. */
const mostKnown = 2_000;

/** Reads items out of pages. Most pages show what others showed: an item that looks like the last one of its id is that item. */
export class MessageReader {
  readonly #intern: Intern;
  readonly #names: ProviderWords;
  readonly #last = new Map<unknown, { readonly record: JsonRecord; readonly item: Item }>();

  constructor(intern: Intern, names: ProviderWords) {
    this.#intern = intern;
    this.#names = names;
  }

  /** What an item of a page shows. */
  item({ record, message: fields, sequence, content = '' }: PageItem, isFeed: boolean): Item {
    const key = isFeed ? `mention of ${asText(fields['id'])}` : fields['id'];
    const last = this.#last.get(key);
    if (last !== undefined && isSameJson(last.record, record)) return last.item;
    const message = this.message(fields);
    const item = this.#intern.item({
      sequence: sequenceOf(sequence),
      id: isFeed ? idOf(record['id']) : message.id,
      message,
      receipts: receiptsOf(fields['receipts']),
    });
    if (content.length > longestKept) return item;
    if (this.#last.size >= mostKnown) this.#last.clear();
    this.#last.set(key, { record, item });
    return item;
  }

  /** What a message shows, wherever it stands. */
  message(fields: JsonRecord): SeenMessage {
    const { content, mentions } = fields;
    const targets = targetsOf(mentions);
    return this.#intern.message({
      id: idOf(fields['id']),
      workspace: idOf(fields['workspace_id']),
      channel: idOf(fields['channel_id']),
      sequence: sequenceOf(fields['sequence']),
      author: authorOf(fields['author'], this.#names),
      content: typeof content === 'string' ? this.#intern.text(content) : undefined,
      contentType: stringOf(fields['content_type']),
      sizeBytes: sequenceOf(fields['size_bytes']),
      createdAt: stringOf(fields['created_at']),
      targets,
      files: filesOf(fields['attachments']),
      ...leftOutOf(fields),
      ...repeatedIn(mentions, targets),
    });
  }
}

/** What a message does not show of what it need not; null is as good as absent. */
function leftOutOf(fields: JsonRecord): Pick<SeenMessage, 'leftOut'> {
  const hasNone = (name: string): boolean => (fields[name] ?? null) === null;
  const [noTargets, noFiles] = [hasNone('mentions'), hasNone('attachments')];
  if (!noTargets && !noFiles) return {};
  return { leftOut: noTargets && noFiles ? 'both' : noTargets ? 'targets' : 'files' };
}

/** Targets in one form: sorted, each once. */
export function targetsOf(value: unknown): readonly string[] {
  return setOf(value, targetOf);
}

function targetOf(value: unknown): string | undefined {
  return isRecord(value) && typeof value['kind'] === 'string' && typeof value['id'] === 'string'
    ? `${value['kind']}:${value['id'].toLowerCase()}`
    : undefined;
}

/** Whether the targets that a message shows lose one where each is kept once. */
function repeatedIn(value: unknown, targets: readonly string[]): Pick<SeenMessage, 'repeatsTarget'> {
  if (!Array.isArray(value) || value.length <= targets.length) return {};
  const shown = value.filter((each) => targetOf(each) !== undefined).length;
  return shown > targets.length ? { repeatsTarget: true } : {};
}

/** Ids of attached files, given as ids or as objects that have one: sorted, each once. */
export function filesOf(value: unknown): readonly string[] {
  return setOf(value, (each) => idOf(isRecord(each) ? each['id'] : each));
}

/** A source session in one form, whatever the order of its fields and the server's words for providers; `undefined` for none. */
export function sessionOf(value: unknown, names: ProviderWords): string | undefined {
  if (!isRecord(value)) return undefined;
  const session = inNeutralWords(value, names);
  return asText(
    Object.keys(session)
      .toSorted()
      .map((name) => [name, session[name]]),
  );
}

/** A string in lower case, as ids are compared. */
export function idOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.toLowerCase() : undefined;
}

/** A value that is a string. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** One list for all that are empty. */
const none: readonly string[] = [];

function setOf(value: unknown, nameOf: (element: unknown) => string | undefined): readonly string[] {
  if (!Array.isArray(value) || value.length === 0) return none;
  return [...new Set(value.flatMap((each) => nameOf(each) ?? []))].toSorted();
}

function authorOf(value: unknown, names: ProviderWords): SeenAuthor | undefined {
  if (!isRecord(value)) return undefined;
  return {
    id: idOf(value['id']),
    displayName: stringOf(value['display_name']),
    host: stringOf(value['agent_host']),
    human: principalOf(value['human_user']),
    machine: principalOf(value['machine']),
    session: sessionOf(value['source_session'], names),
  };
}

function principalOf(value: unknown): SeenPrincipal | null | undefined {
  if (value === null) return null;
  if (!isRecord(value)) return undefined;
  const name = value['display_name'];
  return { id: idOf(value['id']), displayName: name === null ? null : stringOf(name) };
}

function receiptsOf(value: unknown): SeenReceipts | undefined {
  const retrieved = isRecord(value) ? value['retrieved'] : undefined;
  if (!isRecord(retrieved) || !Array.isArray(retrieved['agent_ids'])) return undefined;
  return {
    agents: retrieved['agent_ids'].flatMap((each) => idOf(each) ?? []),
    hasMore: retrieved['has_more'] === true,
  };
}
