import { authorsOfFeeds } from './base/agents-noted.ts';
import type { MessageReceipts } from '../../spec/generated/types.ts';
import type { Agent } from '../../reference/model/principals.ts';
import { contractRules, type Rules } from '../../reference/rules/rules.ts';
import { only, replacing, shown, sinceRestart } from './base/changed-rules.ts';
import { breaking, type Mutant } from './base/mutant.ts';
import type { Overlay } from './base/overlay.ts';
import {
  type Answering,
  inTurn,
  type JsonObject,
  listOf,
  objectOf,
  spoilBody,
  spoilItems,
  spoilList,
  successAs,
} from './base/spoil-answer.ts';
import { remembered } from '../../spec/groups.ts';

const preview = contractRules.presentReceipts;

/** Who is said to have retrieved a message, and in which order. */
export const receiptRuleMutants: readonly Mutant[] = breaking({
  'receipts.reported-agent-is-listed': {
    'listings-forget-who-reported: messages among the mentions show nobody as having retrieved them':
      listedWith({ retrieved: { agent_ids: [] } }),
    'page-shows-a-hundred-retrievals: the messages of a page list no more than a hundred retrievals together':
      spoilList('read', (messages) => {
        let left = 100;
        return messages.map((message) => {
          const retrieved = objectOf(objectOf(message['receipts'])['retrieved']);
          const ids = listOf(retrieved['agent_ids']).slice(0, left);
          left -= ids.length;
          return { ...message, receipts: { retrieved: { ...retrieved, agent_ids: ids } } };
        });
      }),
    'reports-are-lost: only the first report of a message counts': previewing((ids) => ids.slice(0, 1)),
    'the-last-to-report-is-not-listed: of several agents the last to report is not listed': previewing(
      (ids) => (ids.length > 1 ? ids.slice(0, -1) : ids),
    ),
    'only-who-is-mentioned-is-listed: a message that mentions somebody lists of those that reported only agents that it mentions':
      shown('presentMessage', ({ mentions = [], receipts }) => {
        const ids = receipts?.retrieved.agent_ids.filter((id) => mentions.some((target) => target.id === id));
        return mentions.length > 0 && ids !== undefined
          ? { receipts: { retrieved: { agent_ids: ids } } }
          : {};
      }),
    'a-report-with-a-recorded-message-is-rolled-back: of a report that names a message which is recorded already nothing else is recorded':
      rollingBack(),
    'a-report-ends-at-a-recorded-message: of a report nothing is recorded that stands behind a message which is recorded already':
      rollingBack((ids, at) => ids.slice(at)),
    'reports-count-in-one-channel: of a report nothing is recorded in another channel than the first that its workspace asked for':
      () => {
        const first = new Map<string, string>();
        const lost = new Set<string>();
        return {
          hasWorkspaceAccess: async ({ now, agent }, facts) => {
            const { channelId, route } = facts;
            if (!now || channelId === undefined) return now;
            const known = remembered(first, agent.workspaceId, () => channelId);
            if (route !== 'reportReceipts' || known === channelId) return now;
            for (const id of listOf((await facts.body())['message_ids'])) lost.add(String(id));
            return now;
          },
          isPreviewed: ({ messageId, agentId }, authorId) => agentId !== authorId && !lost.has(messageId),
        };
      },
    'a-report-counts-for-its-first-ten': losing(() => (ids) => ids.slice(10)),
    'agents-without-a-human-are-not-listed': {
      isPreviewed: ({ agentId }, authorId, agent) => agentId !== authorId && agent?.()?.humanUserId !== null,
    },
  },
  'receipts.siblings-of-the-author-are-listed': {
    'siblings-of-the-author-are-not-listed: who is of the human of the author is taken for the author, and not listed':
      () => {
        const humans = new Map<string, string | null>();
        return {
          capturedAgentId: (agent) => {
            humans.set(agent.id, agent.humanUserId);
            return agent.id;
          },
          isPreviewed: ({ agentId }, authorId) =>
            agentId !== authorId && (humans.get(agentId) ?? agentId) !== humans.get(authorId),
        };
      },
  },
  'receipts.client-reported': { 'reading-records': { recordsRetrievalOnRead: (route) => route === 'read' } },
  'receipts.agent-ids.ordered-by-time': {
    'receipts-are-timed-from-the-start: the time of a receipt counts from the last restart': sinceRestart(
      (restartedMs) => ({ recordedMs: (nowMs) => nowMs - restartedMs() }),
    ),
    'receipts-by-uuid': { compareReceipts: (left, right) => (left.agentId < right.agentId ? -1 : 1) },
  },
  'receipts.agent-ids.ordered': {
    'receipts-newest-first': { compareReceipts: (left, right) => Number(right.sequence - left.sequence) },
    'receipts-by-last-report': { keepsFirstReport: () => false },
    'receipts-change-places: the agent that was recorded last is listed before the others': previewing(
      (ids) => [...ids.slice(-1), ...ids.slice(0, -1)],
    ),
    'receipts-are-shuffled: agents are listed in another order each time': ({ nth }) => ({
      compareReceipts: (left, right) => (nth(2) ? 1 : -1) * Number(left.sequence - right.sequence),
    }),
  },
  'receipts.agent-ids.unique': {
    'reports-at-once-count-twice: an agent is listed twice with a message that it reports again within a few milliseconds':
      () => {
        const reported = new Map<string, number>();
        const twice = new Map<string, string>();
        return {
          ...noting((ids, agent) => {
            for (const id of ids) {
              const ms = performance.now();
              if (ms - (reported.get(`${agent.id} ${id}`) ?? -Infinity) < 10) twice.set(id, agent.id);
              reported.set(`${agent.id} ${id}`, ms);
            }
          }),
          ...shown('presentMessage', ({ id, receipts }) => {
            const again = twice.get(id);
            const ids = receipts?.retrieved.agent_ids ?? [];
            return again !== undefined && ids.includes(again)
              ? { receipts: { retrieved: { ...receipts?.retrieved, agent_ids: [...ids, again] } } }
              : {};
          }),
        };
      },
  },
  'receipts.agent-ids.no-author': {
    'author-is-listed: the author is listed when it reports': { isPreviewed: () => true },
  },
  'receipts.has-more.only-beyond-the-preview': {
    ...replacing('presentReceipts', {
      'more-is-always-said: has_more is true with every preview': (ids) => preview(ids, true),
      'more-is-said-of-some: has_more is true as soon as an agent is listed': (ids) =>
        preview(ids, ids.length > 0),
      'more-is-said-at-32: has_more is true when the preview is full': (ids, isMore) =>
        preview(ids, isMore || ids.length === 32),
    }),
    'listings-say-more-of-nobody: among the mentions nobody is listed, and more are announced': listedWith({
      retrieved: { agent_ids: [], has_more: true },
    }),
  },
  'receipts.refused-report-lists-nobody': {
    'a-report-is-recorded-before-it-is-refused: an agent of another workspace is refused its report, and is listed all the same':
      () => {
        const named = new Map<unknown, unknown>();
        const listed = new Map<unknown, string>();
        return {
          rules: {
            admits: async (problem, route, { authorization, body }) => {
              if (problem === 'other-workspace' && route === 'reportReceipts')
                named.set(authorization, listOf((await body())['message_ids'])[0]);
              return false;
            },
            presentMessage: (message) => {
              const { retrieved } = message.receipts ?? {};
              const more = listed.get(message.id);
              return retrieved === undefined || more === undefined
                ? message
                : { ...message, receipts: { retrieved: { agent_ids: [...retrieved.agent_ids, more] } } };
            },
          },
          answer: ({ status }, { route, actor, headers: { authorization } }) => {
            if (route === 'reportReceipts' && status === 403 && named.has(authorization))
              listed.set(named.get(authorization), actor?.agentId ?? '');
          },
        };
      },
  },
  'receipts.survive-a-restart': {
    'restart-forgets-receipts: a restart forgets who retrieved a message': sinceRestart((restartedMs) =>
      only('isPreviewed', ({ recordedMs }) => recordedMs > restartedMs()),
    ),
  },
  'receipts.has-more.when-beyond-the-preview': {
    'more-is-never-said': { presentReceipts: (ids) => preview(ids, false) },
    'the-author-takes-a-place: of 33 retrievals that are looked at one may be the author’s, so that a 33rd of others is not announced':
      () => {
        let author = '';
        return {
          previewSize: () => 33,
          isPreviewed: (_receipt, authorId) => {
            author = authorId;
            return true;
          },
          presentReceipts: (ids) => {
            const others = ids.filter((id) => id !== author);
            return preview(others.slice(0, 32), others.length > 32);
          },
        };
      },
    'listings-announce-no-more: among the mentions no preview says that there are more': shown(
      'presentMessage',
      ({ receipts }, route) =>
        route === 'mentions' && receipts !== undefined
          ? { receipts: { retrieved: { agent_ids: receipts.retrieved.agent_ids } } }
          : {},
    ),
    'more-is-said-from-35-on': { previewSize: () => 34, ...previewing((ids) => ids.slice(0, 32)) },
  },
  'receipts.empty-means-none-recorded': {
    'preview-is-empty': { presentReceipts: () => preview([], false) },
    'preview-begins-with-two: the preview is empty until two agents have reported': previewing((ids) =>
      ids.length > 1 ? ids : [],
    ),
  },
  'receipts.agent-ids.max': {
    'preview-of-33: the preview lists 33 agents': { previewSize: () => 33 },
  },
  'receipts.agent-ids.earlier-is-a-prefix': {
    'listings-preview-nobody-without-access: among the mentions an agent without access is not listed with what it retrieved':
      () => {
        const { note, isOut } = authorsOfFeeds();
        return {
          ...note,
          presentMessage: (message, route) => {
            const { agent_ids: ids = [] } = message.receipts?.retrieved ?? {};
            const left = ids.filter((id) => !isOut(id));
            return route === 'mentions' && left.length < ids.length
              ? { ...message, receipts: { retrieved: { agent_ids: left } } }
              : message;
          },
        };
      },
    'preview-slides: the preview has the agent that was recorded last, and says that there are more': {
      presentReceipts: (ids, isMore) => preview(ids.slice(-1), isMore || ids.length > 1),
    },
    'preview-is-of-the-latest: of more than 33 agents those are listed that were recorded last': {
      previewSize: () => 1000,
      presentReceipts: (ids) => preview(ids.slice(-33).slice(0, 32), ids.length > 32),
    },
    'agents-without-access-are-not-previewed': {
      isPreviewed: ({ agentId }, authorId, agent) => agentId !== authorId && agent?.()?.hasAccess === true,
    },
  },
  'receipts-list.answers': {
    'receipts-list-is-404': successAs(404, 'receipts'),
    'receipts-list-is-500': successAs(500, 'receipts'),
    'receipts-list-is-501': successAs(501, 'receipts'),
    'only-mentions-show-receipts-and-the-list-is-405: the list of receipts is 405, and only messages among the mentions show any':
      withoutList({
        presentMessage: ({ receipts, ...message }, route) =>
          route === 'mentions' && receipts !== undefined ? { ...message, receipts } : message,
      }),
    'receipts-show-once-reported-and-the-list-is-405: the list of receipts is 405, and messages show receipts once there are some':
      withoutList({
        presentReceipts: (ids, isMore) => (ids.length > 0 ? preview(ids, isMore) : undefined),
      }),
    'receipts-vanish-and-the-list-is-405: the list of receipts is 405, and no message shows receipts any more once one has been read':
      () => {
        let reads = 0;
        return withoutList({
          presentMessage: ({ receipts, ...message }) =>
            (reads += 1) < 100 && receipts !== undefined ? { ...message, receipts } : message,
        });
      },
  },
  'states.messages-outlive-their-author': {
    'receipts-list-lacks-agents-without-access': () => {
      const { note, isOut } = authorsOfFeeds();
      const isLeft = (item: unknown): boolean => !isOut(objectOf(item)['agent_id']);
      return { rules: note, ...listed((items) => items.filter(isLeft)) };
    },
  },
  'receipts-list.of-its-channel': {
    'receipts-list-is-of-every-channel: a list of receipts has those of other channels, too': () => {
      const known = new Map<string, unknown>();
      return listed((items) => {
        for (const item of items) known.set(JSON.stringify(item), item);
        return [...known.values()];
      });
    },
  },
  'receipts-list.paginates-all': {
    'receipts-list-is-empty: the list of receipts is empty': listed(() => []),
    'receipts-list-lacks-the-first': listed((items) => items.slice(1)),
    'receipts-list-lacks-the-last': listed((items) => items.slice(0, -1)),
    'receipts-list-has-one-page: the list of receipts ends with its first page of two': listed(
      (items) => items.slice(0, 2),
      () => ({ has_more: false }),
    ),
    'receipts-list-skips-the-rest-of-a-report: a page of receipts that ends within a report is followed by the next report':
      skippingReports(),
    'receipts-list-ends-with-the-previews: of each message the list of receipts has the first 32 alone':
      listingAtMost(32, ({ message_id: id }) => String(id)),
    'receipts-list-ends-after-a-hundred: of each channel the list of receipts has the first hundred alone':
      listingAtMost(100, (_receipt, path) => path),
    'receipts-list-lacks-its-reader: the list of receipts lacks those of the agent that reads it': listedTo(
      ({ agent_id: id }, reader) => id !== reader,
    ),
    'receipts-list-is-for-authors: an agent is listed the receipts of its own messages alone': () => {
      const authors = new Map<unknown, unknown>();
      const note = spoilItems('read', (message) => {
        authors.set(message['id'], objectOf(message['author'])['id']);
        return message;
      });
      return inTurn(
        note,
        listedTo(({ message_id: id }, reader) => (authors.get(id) ?? reader) === reader),
      );
    },
    'receipts-list-skips: the next cursor of the receipts is one too far': listed(
      (items) => items,
      ({ next_after: next }) => ({ next_after: Number(next) + 1 }),
    ),
  },
});

/** Whoever reports a message again has not reported what else, or some of it, the same report names. */
function rollingBack(
  lostOf: (ids: readonly string[], at: number) => readonly string[] = (ids) => ids,
): () => Partial<Rules> {
  return losing(() => {
    const reported = new Set<string>();
    return (ids, authorization) => {
      const keys = ids.map((id) => `${authorization} ${id}`);
      const at = keys.findIndex((key) => reported.has(key));
      const gone =
        at === -1 ? [] : lostOf(ids, at).filter((id) => !reported.has(keys[ids.indexOf(id)] ?? ''));
      for (const key of keys) reported.add(key);
      return gone;
    };
  });
}

/** Some messages of a report are not recorded by it. */
function losing(
  make: () => (ids: readonly string[], authorization: string | undefined) => readonly string[],
): () => Partial<Rules> {
  return () => {
    const lostOf = make();
    const lost = new Set<string>();
    return {
      ...noting((ids, _agent, authorization) => {
        for (const id of lostOf(ids, authorization)) lost.add(id);
      }),
      isPreviewed: ({ messageId, agentId }, authorId) => agentId !== authorId && !lost.has(messageId),
    };
  };
}

/** Hears of each report of somebody with access: the messages that it names, and who reports them. */
function noting(
  note: (ids: readonly string[], agent: Agent, authorization: string | undefined) => void,
): Pick<Rules, 'hasWorkspaceAccess'> {
  return {
    hasWorkspaceAccess: async ({ now, agent }, facts) => {
      if (!now || facts.route !== 'reportReceipts') return now;
      note(listOf((await facts.body())['message_ids']).map(String), agent, facts.header('authorization'));
      return now;
    },
  };
}

/** A page of receipts leaves out what its agent recorded in the same moment as the last of the page before. */
function skippingReports(): Answering {
  const ends = new Map<string, string>();
  const reportOf = (item: unknown): string => {
    const { agent_id: agent, recorded_at: recorded } = objectOf(item);
    return `${String(agent)} ${String(recorded)}`;
  };
  return {
    answer: (answer, request) => {
      if (request.route !== 'receipts' || answer.status !== 200) return undefined;
      const body = objectOf(answer.body);
      const items = listOf(body['receipts']);
      const key = (after: unknown): string => `${request.path} ${String(after)}`;
      const last = items.at(-1);
      if (last !== undefined) ends.set(key(objectOf(body['page'])['next_after']), reportOf(last));
      const end = ends.get(key(request.query['after']));
      return { ...answer, body: { ...body, receipts: items.filter((item) => reportOf(item) !== end) } };
    },
  };
}

function previewing(change: (ids: readonly string[]) => readonly string[]): Partial<Rules> {
  return { presentReceipts: (ids, isMore) => preview(change(ids), isMore) };
}

/** What messages among the mentions show of their retrieval. */
function listedWith(receipts: MessageReceipts): Partial<Rules> {
  return shown('presentMessage', (_message, route) => (route === 'mentions' ? { receipts } : {}));
}

function withoutList(rules: Partial<Rules>): Overlay {
  return { rules, ...successAs(405, 'receipts') };
}

/** The list of receipts has of all that belong together so many, those that it showed first. */
function listingAtMost(
  most: number,
  groupOf: (receipt: JsonObject, path: string) => string,
): () => Answering {
  return () => {
    const groups = new Map<string, Set<string>>();
    return spoilBody('receipts', (body, { path }) => ({
      ...body,
      receipts: listOf(body['receipts']).filter((each) => {
        const receipt = objectOf(each);
        const key = `${String(receipt['message_id'])} ${String(receipt['agent_id'])}`;
        const group = remembered(groups, groupOf(receipt, path), () => new Set<string>());
        if (group.size < most) group.add(key);
        return group.has(key);
      }),
    }));
  };
}

/** The list of receipts has what its reader may see of it. */
function listedTo(isListed: (receipt: JsonObject, reader: unknown) => boolean): Answering {
  return spoilBody('receipts', (body, { actor }) => ({
    ...body,
    receipts: listOf(body['receipts']).filter((each) => isListed(objectOf(each), actor?.agentId)),
  }));
}

function listed(
  change: (items: readonly unknown[]) => readonly unknown[],
  changedPage: (page: JsonObject) => JsonObject = () => ({}),
): Answering {
  return spoilBody('receipts', (body) => {
    const page = objectOf(body['page']);
    return { ...body, receipts: change(listOf(body['receipts'])), page: { ...page, ...changedPage(page) } };
  });
}
