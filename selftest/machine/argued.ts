import type { Argument } from './arguments.ts';

/** The mutants that a default run does not fail, each with the reason: kept by hand, by reading the contract. */
export const argued: readonly Argument[] = [
  {
    is: 'open',
    clause: 'discovery.shapes',
    why: 'what the capabilities say of calls is not shown',
    of: [
      "reference/calls/discovery.ts capabilities: `${method} /${segments.map(asTemplate).join('/')}` → ``",
    ],
  },
  {
    is: 'open',
    clause: 'service.other-operations',
    why: 'how files are uploaded, and what answers that, is not shown; those of the operator are made in another way',
    of: [
      'reference/calls/files.ts uploadFile: bytes.length < service.rules.minFileBytes() → true',
      'reference/calls/files.ts uploadFile: { file: service.rules.presentFile(file) } → {}',
      'reference/calls/files.ts readContent: /^[A-Za-z0-9+/]*={0,2}$/ → /[A-Za-z0-9+/]*={0,2}$/',
      'reference/rules/content.ts fileRules: (): number => 1 → () => undefined',
    ],
  },
  {
    is: 'open',
    clause: 'api-error.message.type',
    why: 'a message for people is a string, whatever it says',
    of: ['reference/calls/parameters.ts channelOf: \'there is no such channel\' → ""'],
  },
  {
    is: 'open',
    clause: 'receipts-list.shapes',
    why: 'how the list of receipts goes on is not shown: a cursor that stands still may be none',
    of: [
      'reference/calls/receipts.ts receiptsCall: receipts.at(-1)?.sequence ?? after → receipts.at(-1)?.sequence && after',
    ],
  },
  {
    is: 'open',
    clause: 'service.other-operations',
    why: 'only a report of receipts is answered with 204, and its answer is not shown; that a length of 0 does not belong there is a rule of HTTP',
    of: ['reference/http/write-answer.ts writeAnswer: answer.status !== 204 → true'],
  },
  {
    is: 'open',
    clause: 'service.other-request-types',
    why: 'bytes that are no UTF-8 are no JSON: nothing says that they are refused instead of read somehow',
    of: ['reference/rules/sending.ts sendingRules: false → true'],
  },
  {
    is: 'open',
    clause: 'send.other-request-fields',
    why: 'every session is refused, as by a server whose sends take none or name it otherwise',
    of: ['reference/sending/draft.ts readSession: \'session_id\' → ""'],
  },
  {
    is: 'open',
    clause: 'limits.rates',
    why: 'a limit that the operator has set lets nothing in until it is lifted',
    of: ['reference/service/quotas.ts Quotas: bucket.tokens < 1 → true'],
  },
  {
    is: 'open',
    clause: 'page.has-more-without-more',
    why: 'the newest page says that more follows, and an empty one comes',
    of: [
      'reference/service/read-page.ts newestPage: kept.length < newest.length → kept.length <= newest.length',
    ],
  },
  {
    is: 'equivalent',
    why: 'what becomes known of a request goes to a hook for answers, which is not set, and no status hangs on a call without a name',
    of: [
      'reference/answer-request.ts answerRequest: { route: null, method, path, query: {}, headers, actor: null } → {}',
    ],
  },
  {
    is: 'equivalent',
    why: 'a channel never goes away, so that each message has one',
    of: [
      'reference/calls/list-mentions.ts reaches: store.workspaces.channel(channelId)?.kind → store.workspaces.channel(channelId).kind',
    ],
  },
  {
    is: 'equivalent',
    why: "only rules that mutants replace make a difference here: the contract's own, of which nothing is lost, delayed or refused, come to the same",
    of: [
      'reference/dispatch.ts dispatch: service.rules.countsAgainstRate(route.name) → true',
      "reference/http/authenticate.ts checkWorkspaceAccess: kind === 'unauthenticated' → false",
      'reference/open-service.ts forgetSome: id && count > 0 → id || count > 0',
      'reference/open-service.ts forgetSome: events > 0n → events <= 0n',
      'reference/service/read-page.ts pageAfter: scannedTo < streamEnd → false',
      'reference/service/read-page.ts snapshotOf: delayMs <= 0 → delayMs > 0',
      'reference/service/read-page.ts checkCursor: (): bigint => firstEntries(stream.ascending(0n, 1), 1, isRetained)[0]?.sequence ?? streamEnd + 1n → () => undefined',
      'reference/store/workspaces.ts openWorkspaces: (channelId: string, agentId: string): boolean => joined(channelId, agentId) !== undefined → () => undefined',
    ],
  },
  { is: 'equivalent', why: 'a credential is opaque', of: ['reference/provision.ts prefixes: \'key\' → ""'] },
  {
    is: 'equivalent',
    why: 'an interim answer comes before the answer, and clients of HTTP pass over it',
    of: ['reference/rules/presentation.ts presentationRules: false → true'],
  },
  {
    is: 'equivalent',
    why: '`undefined` does the same where it is used',
    of: [
      'reference/rules/sending.ts sendingRules: (_refusal: Refusal): boolean => false → () => undefined',
      'reference/rules/sending.ts sendingRules: (_content: string): number => 1 → () => undefined',
    ],
  },
  {
    is: 'equivalent',
    why: 'a guard against use after closing, when nobody can ask any more',
    of: ['reference/store/database.ts openDatabase: !isOpen → false'],
  },
  {
    is: 'equivalent',
    why: 'an aggregate always has a row',
    of: ['reference/store/receipts.ts openReceipts: last(channelId)?.last → last(channelId).last'],
  },
  {
    is: 'equivalent',
    why: 'only who makes a history by the million comes by it, and no hook does',
    of: ['reference/store/seed.ts'],
  },
  {
    is: 'equivalent',
    why: 'part of the target file that the command `reference` prints, not of the service',
    of: ['reference/target-file.ts'],
  },
  {
    is: 'open',
    clause: 'send.other-request-fields',
    why: 'what a send may hold beside its text is refused or ignored each time, as by a server that names it otherwise',
    of: [
      'reference/rules/sending.ts sendingRules: [ ...new Map(targets.map((target) => [`${target.kind} ${target.id}`, target])).values(), ] → []',
      'reference/rules/source-session.ts sourceSessionRules: (provider: string, surface: string): boolean => surfacesByProvider.get(provider)?.includes(surface) … → () => undefined',
      'reference/sending/draft.ts readDraft: \'mentions\' → "" (2)',
      'reference/sending/draft.ts readSession: \'surface\' → ""',
      'reference/service/present.ts attachedFiles: file !== undefined → file === undefined',
    ],
  },
  {
    is: 'open',
    clause: 'service.other-operations',
    why: 'how files are downloaded is not shown',
    of: [
      'reference/calls/files.ts downloadFile: \'attachment\' → ""',
      'reference/store/store.ts openFiles: content(id)?.content ?? undefined → content(id)?.content && undefined',
    ],
  },
  {
    is: 'open',
    clause: 'channel-read.wait-with-nothing-new',
    why: 'a read that waits may come back at once',
    of: [
      'reference/calls/read-channel.ts leadsOn: entries.length > 0 → entries.length >= 0',
      'reference/calls/read-channel.ts waitMsOf: text === undefined → true',
      'reference/calls/read-channel.ts readChannel: leadsOn(first) || waitMs === 0 → true',
      'reference/calls/read-channel.ts readChannel: waitMs === 0 → false',
      'reference/calls/read-channel.ts readChannel: waitMs === 0 → waitMs !== 0',
    ],
  },
  {
    is: 'open',
    clause: 'receipts-list.shapes',
    why: 'the parameters of the list of receipts are not shown',
    of: ["reference/calls/receipts.ts receiptsCall: call.query['message_id'] === undefined → true"],
  },
  {
    is: 'open',
    clause: 'api-error.message.type',
    why: 'a message for people is a string, whatever it says',
    of: [
      'reference/calls/send-message.ts keyOf: \'an Idempotency-Key header is needed\' → ""',
      'reference/calls/show-overview.ts showOverview: \'the workspace id is not a UUID\' → ""',
      'reference/sending/judge-draft.ts judgeContent: \'content\' → "" (4)',
      'reference/sending/judge-draft.ts judgeTargets: `holds more than ${rules.maxMentions()} targets` → ``',
    ],
  },
  {
    is: 'open',
    clause: 'service.other-request-types',
    why: 'which parameters a media type may have, and what becomes of bytes that are no UTF-8, is not said',
    of: [
      'reference/http/body.ts decode: { fatal: !isLenient, ignoreBOM: true } → {}',
      'reference/rules/sending.ts sendingRules: /^application\\/json\\s*(?:;\\s*charset\\s*=\\s*"?utf-8"?\\s*)?$/i → /^application\\/json\\s*(?:;\\s*charset\\s*=\\s*"utf-8"?\\s*)?$/i',
    ],
  },
  {
    is: 'open',
    clause: 'send.content-type.values',
    why: 'a server may take any content type',
    of: ['reference/sending/judge-draft.ts judgeContent: !rules.acceptsContentType(contentType) → false'],
  },
  {
    is: 'open',
    clause: 'mentions.after.maximum',
    why: 'a cursor beyond all that can be issued',
    of: ['reference/rules/paging.ts pagingRules: after === undefined || after > 2n ** 63n - 1n → false'],
  },
  {
    is: 'open',
    clause: 'page.has-more-without-more',
    why: 'the newest page says that more follows, and an empty one comes',
    of: ['reference/service/read-page.ts newestPage: kept.length < newest.length → true'],
  },
  {
    is: 'open',
    clause: 'limits.rates',
    why: 'a limit of what is on the way, which nobody has set, is counted wrongly',
    of: ['reference/service/quotas.ts Quotas: this.#bodyBytes -= bytes → this.#bodyBytes += bytes'],
  },
  {
    is: 'equivalent',
    why: "only rules that mutants replace make a difference here: the contract's own come to the same",
    of: [
      'reference/calls/send-message.ts sendOnce: times > 1 → false',
      'reference/calls/send-message.ts wakeReaders: delayMs <= 0 → false',
      "reference/http/authenticate.ts checkWorkspaceAccess: kind === 'unauthenticated' → kind !== 'unauthenticated'",
      'reference/rules/access.ts accessRules: (_problem: AccessProblem, _route: RouteName, _facts: RequestFacts): Decision<boolean> => false → () => undefined',
      'reference/rules/access.ts accessRules: (_route: RouteName): boolean => true → () => undefined',
      'reference/rules/idempotency.ts idempotencyRules: (): boolean => false → () => undefined (2)',
      'reference/rules/receipts.ts receiptRules: (_receipt: Receipt, _authorId: string): boolean => false → () => undefined',
      "reference/store/directory.ts openDirectory: `${credential} JOIN agents ON agents.id = agent_id WHERE kind = 'agent' AND workspace_id = ? AND has… → ``",
    ],
  },
  {
    is: 'equivalent',
    why: 'what it lets through is refused by the next rule, or is met by no client of HTTP',
    of: [
      'reference/http-server.ts listenAt: \'clientError\' → ""',
      "reference/http-server.ts faultOf: httpVersion === '1.1' → httpVersion !== '1.1'",
      "reference/http-server.ts faultOf: headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue' → false",
      'reference/http/body.ts readBytes: \'error\' → ""',
      'reference/http/query.ts parseQuery: equals < 0 → equals <= 0',
      'reference/sending/draft.ts readMentionTarget: !rules.acceptsTargetId(id) → false',
      "reference/sending/draft.ts record: typeof value !== 'object' || value === null || Array.isArray(value) → false",
      'reference/store/directory.ts openDirectory: row && { ...row, isActive: row.isActive === 1 } → row || { ...row, isActive: row.isActive === 1 }',
    ],
  },
  {
    is: 'equivalent',
    why: 'names, memory and housekeeping that no answer shows',
    of: [
      'reference/model/refusal.ts Refusal: \'Refusal\' → ""',
      'reference/provision.ts provisionWorkspace: workspaceId.slice(0, 8) → workspaceId',
      'reference/sending/append-message.ts appendMessage: entry.messageNumber % sendsBetweenSweeps === 0 → false',
      'reference/service/streams.ts entriesOf: chunk.length < count → false',
      'reference/store/database.ts openDatabase: \':memory:\' → ""',
      'reference/store/store.ts openStore: file !== undefined → false',
    ],
  },
  {
    is: 'equivalent',
    why: 'what the operator gives to whoever tests the service, and no part of the service',
    of: [
      'reference/model/world.ts roleNames: \'apiKey\' → ""',
      'reference/provision.ts provisionFiles: \'pending\' → ""',
    ],
  },
];
