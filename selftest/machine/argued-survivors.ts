import { type Argument, equivalent, open } from './arguments.ts';

/** The mutants of the reference and of the examples that a default run does not fail, each with the reason: kept by hand, by reading the contract. */
export const argued: readonly Argument[] = [
  open('discovery.shapes', 'what the capabilities say of calls is not shown', [
    "reference/calls/discovery.ts capabilities: `${method} /${segments.map(asTemplate).join('/')}` → ``",
  ]),
  open(
    'service.other-operations',
    'how files are uploaded, and what answers that, is not shown; those of the operator are made in another way',
    [
      'reference/calls/files.ts uploadFile: bytes.length < service.rules.minFileBytes() → true',
      'reference/calls/files.ts uploadFile: { file: service.rules.presentFile(file) } → {}',
      'reference/calls/files.ts readContent: /^[A-Za-z0-9+/]*={0,2}$/ → /[A-Za-z0-9+/]*={0,2}$/',
      'reference/rules/content.ts fileRules: (): number => 1 → () => undefined',
    ],
  ),
  open('api-error.message.type', 'a message for people is a string, whatever it says', [
    'reference/calls/parameters.ts channelOf: \'there is no such channel\' → ""',
    'reference/calls/send-message.ts keyOf: \'an Idempotency-Key header is needed\' → ""',
    'reference/calls/show-overview.ts showOverview: \'the workspace id is not a UUID\' → ""',
    'reference/sending/judge-draft.ts judgeContent: \'content\' → "" (4)',
    'reference/sending/judge-draft.ts judgeTargets: `holds more than ${rules.maxMentions()} targets` → ``',
    'examples/go/messaging/sending.go check: "mentions and attachments take %d each" → ""',
    'examples/go/messaging/store.go checkReferences: "no %s %s is in this workspace" → ""',
  ]),
  open(
    'receipts-list.shapes',
    'how the list of receipts goes on is not shown: a cursor that stands still may be none',
    [
      'reference/calls/receipts.ts receiptsCall: receipts.at(-1)?.sequence ?? after → receipts.at(-1)?.sequence && after',
    ],
  ),
  open(
    'service.other-operations',
    'only a report of receipts is answered with 204, and its answer is not shown; that a length of 0 does not belong there is a rule of HTTP',
    ['reference/http/write-answer.ts writeAnswer: answer.status !== 204 → true'],
  ),
  open(
    'service.other-request-types',
    'bytes that are no UTF-8 are no JSON: nothing says that they are refused instead of read somehow',
    ['reference/rules/sending.ts sendingRules: false → true'],
  ),
  open(
    'send.other-request-fields',
    'every session is refused, as by a server whose sends take none or name it otherwise',
    ['reference/sending/draft.ts readSession: \'session_id\' → ""'],
  ),
  open('limits.rates', 'a limit that the operator has set lets nothing in until it is lifted', [
    'reference/service/quotas.ts Quotas: bucket.tokens < 1 → true',
  ]),
  open('page.has-more-without-more', 'the newest page says that more follows, and an empty one comes', [
    'reference/service/read-page.ts newestPage: kept.length < newest.length → kept.length <= newest.length',
    'reference/service/read-page.ts newestPage: kept.length < newest.length → true',
  ]),
  equivalent(
    'what becomes known of a request goes to a hook for answers, which is not set, and no status hangs on a call without a name',
    [
      'reference/answer-request.ts answerRequest: { route: null, method, path, query: {}, headers, actor: null } → {}',
    ],
  ),
  equivalent('a channel never goes away, so that each message has one', [
    'reference/calls/list-mentions.ts reaches: store.workspaces.channel(channelId)?.kind → store.workspaces.channel(channelId).kind',
  ]),
  equivalent(
    "only rules that mutants replace make a difference here: the contract's own, of which nothing is lost, delayed or refused, come to the same",
    [
      'reference/dispatch.ts dispatch: service.rules.countsAgainstRate(route.name) → true',
      "reference/http/authenticate.ts checkWorkspaceAccess: kind === 'unauthenticated' → false",
      'reference/open-service.ts forgetSome: id && count > 0 → id || count > 0',
      'reference/open-service.ts forgetSome: events > 0n → events <= 0n',
      'reference/service/read-page.ts pageAfter: scannedTo < streamEnd → false',
      'reference/service/read-page.ts snapshotOf: delayMs <= 0 → delayMs > 0',
      'reference/service/read-page.ts checkCursor: (): bigint => firstEntries(stream.ascending(0n, 1), 1, isRetained)[0]?.sequence ?? streamEnd + 1n → () => undefined',
      'reference/store/workspaces.ts openWorkspaces: (channelId: string, agentId: string): boolean => joined(channelId, agentId) !== undefined → () => undefined',
    ],
  ),
  equivalent('a credential is opaque', ['reference/provision.ts prefixes: \'key\' → ""']),
  equivalent('an interim answer comes before the answer, and clients of HTTP pass over it', [
    'reference/rules/presentation.ts presentationRules: false → true',
  ]),
  equivalent('`undefined` does the same where it is used', [
    'reference/rules/sending.ts sendingRules: (_refusal: Refusal): boolean => false → () => undefined',
    'reference/rules/sending.ts sendingRules: (_content: string): number => 1 → () => undefined',
  ]),
  equivalent('a guard against use after closing, when nobody can ask any more', [
    'reference/store/database.ts openDatabase: !isOpen → false',
  ]),
  equivalent('an aggregate always has a row', [
    'reference/store/receipts.ts openReceipts: last(channelId)?.last → last(channelId).last',
  ]),
  equivalent('only who makes a history by the million comes by it, and no hook does', [
    'reference/store/seed.ts',
  ]),
  equivalent('part of the target file that the command `reference` prints, not of the service', [
    'reference/target-file.ts',
  ]),
  open(
    'send.other-request-fields',
    'what a send may hold beside its text is refused or ignored each time, as by a server that names it otherwise',
    [
      'reference/rules/sending.ts sendingRules: [ ...new Map(targets.map((target) => [`${target.kind} ${target.id}`, target])).values(), ] → []',
      'reference/rules/source-session.ts sourceSessionRules: (provider: string, surface: string): boolean => surfacesByProvider.get(provider)?.includes(surface) … → () => undefined',
      'reference/sending/draft.ts readDraft: \'mentions\' → "" (2)',
      'reference/sending/draft.ts readSession: \'surface\' → ""',
      'reference/service/present.ts attachedFiles: file !== undefined → file === undefined',
      'examples/go/messaging/sending.go check: length > 80 → length >= 80',
      'examples/python/sending.py draft_of: "source_session" → ""',
      'examples/python/sending.py draft_of: "attachments" → "" (2)',
      'examples/python/sending.py object_of: not isinstance(value, dict) → isinstance(value, dict)',
      'examples/python/sending.py object_of: value.keys() != set(fields) → value.keys() == set(fields)',
      'examples/python/sending.py session_of: "session_id" → ""',
      'examples/python/sending.py session_of: return {"provider": provider, "surface": surface, "session_id": session_id} → return None',
    ],
  ),
  open('service.other-operations', 'how files are downloaded is not shown', [
    'reference/calls/files.ts downloadFile: \'attachment\' → ""',
    'reference/store/store.ts openFiles: content(id)?.content ?? undefined → content(id)?.content && undefined',
  ]),
  open('channel-read.wait-with-nothing-new', 'a read that waits may come back at once', [
    'reference/calls/read-channel.ts leadsOn: entries.length > 0 → entries.length >= 0',
    'reference/calls/read-channel.ts waitMsOf: text === undefined → true',
    'reference/calls/read-channel.ts readChannel: leadsOn(first) || waitMs === 0 → true',
    'reference/calls/read-channel.ts readChannel: waitMs === 0 → false',
    'reference/calls/read-channel.ts readChannel: waitMs === 0 → waitMs !== 0',
    'examples/go/messaging/calls.go readChannel: len(messages) == 0 && numbers["wait"] > 0 → (len(messages) == 0 && numbers["wait"] > 0) && false',
    'examples/go/messaging/calls.go readChannel: 0 → 1 (5)',
    'examples/python/calls.py read_channel: time.monotonic() + min(whole_number(request, "wait", 0) or 0, MAX_WAIT_S) → time.monotonic() - min(whole_number(request, "wait", 0) or 0, MAX_WAIT_S)',
  ]),
  open('receipts-list.shapes', 'the parameters of the list of receipts are not shown', [
    "reference/calls/receipts.ts receiptsCall: call.query['message_id'] === undefined → true",
  ]),
  open(
    'service.other-request-types',
    'which parameters a media type may have, and what becomes of bytes that are no UTF-8, is not said',
    [
      'reference/http/body.ts decode: { fatal: !isLenient, ignoreBOM: true } → {}',
      'reference/rules/sending.ts sendingRules: /^application\\/json\\s*(?:;\\s*charset\\s*=\\s*"?utf-8"?\\s*)?$/i → /^application\\/json\\s*(?:;\\s*charset\\s*=\\s*"utf-8"?\\s*)?$/i',
    ],
  ),
  open('send.content-type.values', 'a server may take any content type', [
    'reference/sending/judge-draft.ts judgeContent: !rules.acceptsContentType(contentType) → false',
  ]),
  open('mentions.after.maximum', 'a cursor beyond all that can be issued', [
    'reference/rules/paging.ts pagingRules: after === undefined || after > 2n ** 63n - 1n → false',
  ]),
  open('limits.rates', 'a limit of what is on the way, which nobody has set, is counted wrongly', [
    'reference/service/quotas.ts Quotas: this.#bodyBytes -= bytes → this.#bodyBytes += bytes',
  ]),
  equivalent("only rules that mutants replace make a difference here: the contract's own come to the same", [
    'reference/calls/send-message.ts sendOnce: times > 1 → false',
    'reference/calls/send-message.ts wakeReaders: delayMs <= 0 → false',
    "reference/http/authenticate.ts checkWorkspaceAccess: kind === 'unauthenticated' → kind !== 'unauthenticated'",
    'reference/rules/access.ts accessRules: (_problem: AccessProblem, _route: RouteName, _facts: RequestFacts): Decision<boolean> => false → () => undefined',
    'reference/rules/access.ts accessRules: (_route: RouteName): boolean => true → () => undefined',
    'reference/rules/idempotency.ts idempotencyRules: (): boolean => false → () => undefined (2)',
    'reference/rules/receipts.ts receiptRules: (_receipt: Receipt, _authorId: string): boolean => false → () => undefined',
    "reference/store/directory.ts openDirectory: `${credential} JOIN agents ON agents.id = agent_id WHERE kind = 'agent' AND workspace_id = ? AND has… → ``",
  ]),
  equivalent('what it lets through is refused by the next rule, or is met by no client of HTTP', [
    'reference/http-server.ts listenAt: \'clientError\' → ""',
    "reference/http-server.ts faultOf: httpVersion === '1.1' → httpVersion !== '1.1'",
    "reference/http-server.ts faultOf: headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue' → false",
    'reference/http/body.ts readBytes: \'error\' → ""',
    'reference/http/query.ts parseQuery: equals < 0 → equals <= 0',
    'reference/sending/draft.ts readMentionTarget: !rules.acceptsTargetId(id) → false',
    "reference/sending/draft.ts record: typeof value !== 'object' || value === null || Array.isArray(value) → false",
    'reference/store/directory.ts openDirectory: row && { ...row, isActive: row.isActive === 1 } → row || { ...row, isActive: row.isActive === 1 }',
  ]),
  equivalent('names, memory and housekeeping that no answer shows', [
    'reference/model/refusal.ts Refusal: \'Refusal\' → ""',
    'reference/provision.ts provisionWorkspace: workspaceId.slice(0, 8) → workspaceId',
    'reference/sending/append-message.ts appendMessage: entry.messageNumber % sendsBetweenSweeps === 0 → false',
    'reference/service/streams.ts entriesOf: chunk.length < count → false',
    'reference/store/database.ts openDatabase: \':memory:\' → ""',
    'reference/store/store.ts openStore: file !== undefined → false',
  ]),
  equivalent('what the operator gives to whoever tests the service, and no part of the service', [
    'reference/model/world.ts roleNames: \'apiKey\' → ""',
    'reference/provision.ts provisionFiles: \'pending\' → ""',
  ]),
  open('service.other-operations', 'how files are uploaded, described and downloaded is not shown', [
    'examples/go/messaging/access.go file',
    'examples/go/messaging/accounts.go AddFile: file.CreatedByHumanUserID = &agent.HumanID → ',
    'examples/go/messaging/calls.go download',
    'examples/go/messaging/store.go apply: s.bytes[e.File.ID] = e.Bytes → ',
    'examples/python/calls.py upload: 255 → 254',
    'examples/python/calls.py upload: content_type = text_of("content_type", given.get("content_type")) → pass',
    'examples/python/calls.py download: not self.is_downloadable(row) → True',
    'examples/python/calls.py is_downloadable: "status" → ""',
  ]),
  open(
    'receipts-list.shapes',
    'how retrieval is reported, and how the list of receipts goes on, is not shown',
    [
      'examples/go/messaging/calls.go listReceipts',
      'examples/python/calls.py report_receipts',
      'examples/python/store.py report',
      'examples/python/store.py receipts: 1 → 2',
    ],
  ),
  open('send.missing-idempotency-key', 'neither that a key has to be there nor how long it may be is said', [
    'examples/go/messaging/calls.go send: key == "" || len(key) > 255 → key == "" && len(key) > 255',
    'examples/go/messaging/calls.go send: 255 → 256',
  ]),
  open('limits.byte-cap', 'at how many bytes a page is cut is left open', [
    'examples/go/messaging/store.go : 256 * 1024 → 256 / 1024',
    'examples/go/messaging/store.go : 1024 → 1023',
    'examples/go/messaging/store.go capped: size > maxPageBytes → size >= maxPageBytes',
  ]),
  open('limits.rates', 'at which rate a limit lets requests in is left open', [
    'examples/go/messaging/access.go set: perSecond > 0 → perSecond >= 0',
    'examples/go/messaging/access.go set: 0 → 1',
    'examples/python/access.py take_turn: (1, rate) → (rate, 1)',
    'examples/python/access.py take_turn: 1 → 0 (2)',
  ]),
  open('member.role.values', 'a role is any string', ['examples/python/shapes.py member_of: "owner" → ""']),
  open('service.other-request-types', 'a body that is cut off, or longer than any message, is no JSON', [
    'examples/go/messaging/wire.go readBody: err != nil → (err != nil) && false',
  ]),
  equivalent(
    'a rename that the operator asks for does not happen: no client can tell it from a name that is the same as before',
    ['examples/go/messaging/accounts.go Rename: m.Name = name → '],
  ),
  equivalent(
    'what comes of it is the same: a bound that is met already, a sign, more of a list than is looked at, or bits of an id',
    [
      'examples/go/messaging/calls.go limitOf: (*given, maxLimit) → (maxLimit, *given)',
      'examples/go/messaging/model.go newID: 0x80 → (0x80 + 1)',
      'examples/go/messaging/sending.go escapedUnit: len(text) < 6 → len(text) <= 6',
      'examples/go/messaging/sending.go escapedUnit: 1 → 0 (2)',
      'examples/go/messaging/store.go applyMessage: len(m.Mentions) > 0 → (len(m.Mentions) > 0) || true',
      'examples/go/messaging/store.go mentions: 1 → 2',
      'examples/go/messaging/store.go firstFor: break → ',
      'examples/go/messaging/store.go startAfter: 1 → 2 (2)',
      'examples/python/accounts.py expire: 1 → 2',
      'examples/python/store.py new_id: 80 → 79 (2)',
    ],
  ),
  equivalent(
    'how long the end of the server takes, in which order it ends, what it logs, or how many connections may queue',
    [
      'examples/go/messaging/server.go Start: 10 → 11',
      'examples/go/messaging/server.go Start: !errors.Is(err, http.ErrServerClosed) → errors.Is(err, http.ErrServerClosed)',
      'examples/go/messaging/server.go Stop',
      'examples/python/server.py __init__: 5 → 6',
      'examples/python/server.py listen: (("127.0.0.1", port), backlog=2048) → (("127.0.0.1", port))',
    ],
  ),
  equivalent(
    'the service makes no default channel itself, and whether one is the default is for the operator to say',
    ['examples/python/accounts.py new_channel: False → True'],
  ),
];
