import type { MessageAuthor, MessageReceipts, WorkspaceFile } from '../../spec/generated/types.ts';
import type { Entry, OutgoingRead, PageFacts, ReadFacts } from '../model/page-facts.ts';
import type { Agent, Credential } from '../model/principals.ts';
import { exactInteger } from '../model/resources.ts';
import type { OutgoingMention, OutgoingMessage, OutgoingPage } from '../model/resources.ts';
import type { RouteName } from '../model/routes.ts';
import type { Service } from './service.ts';

/** The message that an entry lists, as a reader sees it now. */
export function presentMessage(service: Service, entry: Entry, route: RouteName): OutgoingMessage {
  const { rules, store } = service;
  const { sequence, written } = store.messages.read(entry.messageNumber);
  const receipts = previewOf(service, written.id, written.author.id);
  const message: OutgoingMessage = {
    ...written,
    sequence: exactInteger(entry.stream === 'channel' ? entry.sequence : sequence),
    author: rules.presentAuthor(written.author, () => liveAuthor(service, written.author)),
    ...(receipts && { receipts }),
    attachments: rules.presentAttachments(attachedFiles(service, written.attachments)),
    mentions: rules.presentTargets(
      written.mentions,
      ({ kind, id }) => store.directory.nameOf(kind, id),
      ({ kind, id }) => kind !== 'machine' || store.directory.machine(id)?.isActive === true,
    ),
  };
  return rules.presentMessage(message, route);
}

/** The mention that an entry stands for. */
export function presentMention(service: Service, entry: Entry): OutgoingMention {
  const message = presentMessage(service, entry, 'mentions');
  return service.rules.presentMention({ id: message.id, sequence: exactInteger(entry.sequence), message });
}

/** Who reads, and how. */
interface Reading {
  readonly service: Service;
  readonly agent: Agent;
  readonly credential: Credential;
  readonly query: ReadFacts['query'];
}

/** A page of a read on its way out, with its items. */
export function presentRead(
  { service, agent, credential, query }: Reading,
  page: PageFacts,
  items: OutgoingRead['items'],
): OutgoingRead {
  const { rules, store } = service;
  return rules.presentRead(
    { items, page: presentPage(service, page) },
    {
      page,
      reader: agent,
      credential: credential.kind,
      query,
      isDefaultChannel: (channelId) =>
        store.workspaces.channels().some(({ id, is_default }) => id === channelId && is_default),
      authorNow: (author) => liveAuthor(service, author),
    },
  );
}

/** The page object that belongs to chosen entries. */
function presentPage({ rules }: Service, facts: PageFacts): OutgoingPage {
  const page: OutgoingPage = {
    next_after: exactInteger(rules.nextAfter(facts)),
    has_more: rules.hasMore(facts),
    high_watermark: exactInteger(rules.highWatermark(facts)),
  };
  return rules.presentPage(page, facts);
}

function previewOf(
  { rules, store }: Service,
  messageId: string,
  authorId: string,
): MessageReceipts | undefined {
  const recorded = store.receipts.ofMessage(messageId);
  const listable = recorded.filter((receipt) =>
    rules.isPreviewed(receipt, authorId, () => store.directory.agent(receipt.agentId)),
  );
  const beyond = recorded.filter((receipt) => !listable.includes(receipt));
  const agentIds = listable.toSorted(rules.compareReceipts).map((receipt) => receipt.agentId);
  const size = rules.previewSize();
  const isMore = agentIds.length > size || beyond.some((receipt) => rules.isAnnounced(receipt, authorId));
  return rules.presentReceipts(agentIds.slice(0, size), isMore);
}

function attachedFiles({ rules, store }: Service, fileIds: readonly string[]): WorkspaceFile[] {
  return fileIds
    .map((id) => store.files.file(id))
    .filter((file) => file !== undefined)
    .map((file) => rules.presentFile(file));
}

/** The author under the names of today, for rules that forget what was captured. */
function liveAuthor({ store }: Service, captured: MessageAuthor): MessageAuthor {
  const human = captured.human_user && store.directory.human(captured.human_user.id);
  const machine = captured.machine && store.directory.machine(captured.machine.id);
  return {
    ...captured,
    display_name: store.directory.agent(captured.id)?.displayName ?? captured.display_name,
    human_user: human ? { id: human.id, display_name: human.displayName } : captured.human_user,
    machine: machine ? { id: machine.id, display_name: machine.displayName } : captured.machine,
  };
}
