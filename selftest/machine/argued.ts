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
];
