import type { Argument } from './arguments.ts';

/** The mutants of the examples that a default run does not fail, each with the reason, as in `argued.ts`. */
export const arguedOfExamples: readonly Argument[] = [
  {
    is: 'open',
    clause: 'send.other-request-fields',
    why: 'what a send may hold beside its text is refused or ignored each time, as by a server that names it otherwise',
    of: [
      'examples/go/messaging/sending.go check: length > 80 → length >= 80',
      'examples/python/sending.py draft_of: "source_session" → ""',
      'examples/python/sending.py draft_of: "attachments" → "" (2)',
      'examples/python/sending.py object_of: not isinstance(value, dict) → isinstance(value, dict)',
      'examples/python/sending.py object_of: value.keys() != set(fields) → value.keys() == set(fields)',
      'examples/python/sending.py session_of: "session_id" → ""',
      'examples/python/sending.py session_of: return {"provider": provider, "surface": surface, "session_id": session_id} → return None',
    ],
  },
  {
    is: 'open',
    clause: 'service.other-operations',
    why: 'how files are uploaded, described and downloaded is not shown',
    of: [
      'examples/go/messaging/access.go file',
      'examples/go/messaging/accounts.go AddFile: file.CreatedByHumanUserID = &agent.HumanID → ',
      'examples/go/messaging/calls.go download',
      'examples/go/messaging/store.go apply: s.bytes[e.File.ID] = e.Bytes → ',
      'examples/python/calls.py upload: 255 → 254',
      'examples/python/calls.py upload: content_type = text_of("content_type", given.get("content_type")) → pass',
      'examples/python/calls.py download: not self.is_downloadable(row) → True',
      'examples/python/calls.py is_downloadable: "status" → ""',
    ],
  },
  {
    is: 'open',
    clause: 'receipts-list.shapes',
    why: 'how retrieval is reported, and how the list of receipts goes on, is not shown',
    of: [
      'examples/go/messaging/calls.go listReceipts',
      'examples/python/calls.py report_receipts',
      'examples/python/store.py report',
      'examples/python/store.py receipts: 1 → 2',
    ],
  },
  {
    is: 'open',
    clause: 'channel-read.wait-with-nothing-new',
    why: 'a read that waits may come back at once',
    of: [
      'examples/go/messaging/calls.go readChannel: len(messages) == 0 && numbers["wait"] > 0 → (len(messages) == 0 && numbers["wait"] > 0) && false',
      'examples/go/messaging/calls.go readChannel: 0 → 1 (5)',
      'examples/python/calls.py read_channel: time.monotonic() + min(whole_number(request, "wait", 0) or 0, MAX_WAIT_S) → time.monotonic() - min(whole_number(request, "wait", 0) or 0, MAX_WAIT_S)',
    ],
  },
  {
    is: 'open',
    clause: 'send.missing-idempotency-key',
    why: 'neither that a key has to be there nor how long it may be is said',
    of: [
      'examples/go/messaging/calls.go send: key == "" || len(key) > 255 → key == "" && len(key) > 255',
      'examples/go/messaging/calls.go send: 255 → 256',
    ],
  },
  {
    is: 'open',
    clause: 'limits.byte-cap',
    why: 'at how many bytes a page is cut is left open',
    of: [
      'examples/go/messaging/store.go : 256 * 1024 → 256 / 1024',
      'examples/go/messaging/store.go : 1024 → 1023',
      'examples/go/messaging/store.go capped: size > maxPageBytes → size >= maxPageBytes',
    ],
  },
  {
    is: 'open',
    clause: 'limits.rates',
    why: 'at which rate a limit lets requests in is left open',
    of: [
      'examples/go/messaging/access.go set: perSecond > 0 → perSecond >= 0',
      'examples/go/messaging/access.go set: 0 → 1',
      'examples/python/access.py take_turn: (1, rate) → (rate, 1)',
      'examples/python/access.py take_turn: 1 → 0 (2)',
    ],
  },
  {
    is: 'open',
    clause: 'api-error.message.type',
    why: 'a message for people is a string, whatever it says',
    of: [
      'examples/go/messaging/sending.go check: "mentions and attachments take %d each" → ""',
      'examples/go/messaging/store.go checkReferences: "no %s %s is in this workspace" → ""',
    ],
  },
  {
    is: 'open',
    clause: 'member.role.values',
    why: 'a role is any string',
    of: ['examples/python/shapes.py member_of: "owner" → ""'],
  },
  {
    is: 'open',
    clause: 'service.other-request-types',
    why: 'a body that is cut off, or longer than any message, is no JSON',
    of: ['examples/go/messaging/wire.go readBody: err != nil → (err != nil) && false'],
  },
  {
    is: 'equivalent',
    why: 'a rename that the operator asks for does not happen: no client can tell it from a name that is the same as before',
    of: ['examples/go/messaging/accounts.go Rename: m.Name = name → '],
  },
  {
    is: 'equivalent',
    why: 'what comes of it is the same: a bound that is met already, a sign, more of a list than is looked at, or bits of an id',
    of: [
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
  },
  {
    is: 'equivalent',
    why: 'how long the end of the server takes, in which order it ends, what it logs, or how many connections may queue',
    of: [
      'examples/go/messaging/server.go Start: 10 → 11',
      'examples/go/messaging/server.go Start: !errors.Is(err, http.ErrServerClosed) → errors.Is(err, http.ErrServerClosed)',
      'examples/go/messaging/server.go Stop',
      'examples/python/server.py __init__: 5 → 6',
      'examples/python/server.py listen: (("127.0.0.1", port), backlog=2048) → (("127.0.0.1", port))',
    ],
  },
  {
    is: 'equivalent',
    why: 'the service makes no default channel itself, and whether one is the default is for the operator to say',
    of: ['examples/python/accounts.py new_channel: False → True'],
  },
];
