import * as fc from 'fast-check';
import type { SendWorld } from '../../../generators/spaces/body/send-body.ts';
import type { RoleName } from '../../../harness/config/roles.ts';
import type { CaseRequest, OperatorStep } from '../case-request.ts';
import { injectionPoint, type InjectionPoint } from '../injection-point.ts';
import {
  anyList,
  anyRead,
  anyReport,
  anySend,
  plainSend,
  requestOf,
  wordsOf,
  type ListStep,
  type ReadStep,
  type ReportStep,
  type SendStep,
  type Step,
} from './steps.ts';

/** Acts of the operator and requests; the last is one of these. */
interface Sequence {
  readonly steps: readonly (Step | OperatorStep)[];
  readonly last: Step;
}

/** Who speaks, in the order of the numbers below. */
const roleOrder = ['author', 'reader', 'peer', 'api-key'] as const;
const [author, reader, peer, apiKey] = [0, 1, 2, 3];
const mostSteps = 5;

/**
 * Changes and looks in a workspace of its own: what becomes of messages, cursors and waits once somebody has reported, been renamed, left
 * or come back. Every agent looks at every view before the first change and after each.
 */
export function sequenceInjectionPoints(
  world: SendWorld,
  roles: ReadonlySet<RoleName>,
): readonly InjectionPoint[] {
  const senders = roleOrder.filter((role) => roles.has(role));
  if (senders.length === 0) return [];
  const labelled = (value: Sequence) => ({
    label: `sequence: ${[...value.steps, value.last].map((step) => wordsOf(step, { senders })).join('; ')}`,
    value,
  });
  const speakers = { world, senders };
  const caseOf = ({ steps, last }: Sequence): CaseRequest => ({
    ...requestOf(last, speakers),
    earlier: steps.map((step) => ('act' in step ? step : requestOf(step, speakers))),
    isApart: true,
  });
  const space = {
    boundaries: boundaries.map(labelled),
    arbitrary: anySequence.map(labelled),
    shorter: (sequence: Sequence) => shorter(sequence).map(labelled),
  };
  return [injectionPoint('sequence', 'sequence', space, [''], caseOf)];
}

/** Everybody whom a message to the reader may name. */
const everyName = ['agent:reader', 'user:reader', 'machine:reader'];

function send(step: Partial<SendStep> = {}): SendStep {
  return { ...plainSend, key: '{key}', mentions: ['agent:reader'], ...step };
}

function read(by: number, query: string, step: Partial<ReadStep> = {}): ReadStep {
  return { what: 'channel', by, isBeside: false, channel: '{channel}', query, ...step };
}

function list(by: number, what: ListStep['what']): ListStep {
  return { what, by, isBeside: false, channel: '{channel}' };
}

function report(by: number): ReportStep {
  return { what: 'report', by, isBeside: false, channel: '{channel}' };
}

const fromStart = 'after=0&limit=100';
const fromHeld = 'after={cursor:last}&limit=100';
/** Long enough for others to read what it is to be woken by, and for that to settle. */
const waiting = `${fromHeld}&wait=3`;

/** A message that the reader was shown. */
const shown = [send(), read(reader, fromStart)];
/** Without anything that comes it lasts so long that two reports are recorded in different seconds. */
const pause = read(reader, `${fromHeld}&wait=2`);

const reports: readonly Sequence[] = [
  { steps: shown, last: report(reader) },
  { steps: [...shown, report(reader)], last: read(reader, fromStart, { what: 'feed' }) },
  { steps: [send(), read(author, fromStart)], last: report(author) },
  { steps: [...shown, report(reader), pause, read(peer, fromStart)], last: report(peer) },
  { steps: [...shown, report(reader), pause, report(peer)], last: report(reader) },
  { steps: [...shown, report(reader), send({ channel: '{second-channel}' })], last: report(reader) },
];

const waits: readonly Sequence[] = [
  { steps: [read(reader, fromStart), read(reader, waiting)], last: send({ isBeside: true }) },
  {
    steps: [
      read(reader, fromStart),
      read(reader, waiting),
      read(peer, waiting, { isBeside: true }),
      send({ isBeside: true }),
    ],
    last: read(reader, fromHeld),
  },
  {
    steps: [
      read(reader, fromStart),
      read(reader, waiting),
      send({ isBeside: true }),
      send({ isBeside: true }),
    ],
    last: read(reader, fromHeld),
  },
  { steps: [read(reader, fromStart), pause, send()], last: read(reader, fromHeld) },
  {
    steps: [read(reader, fromStart), send(), send()],
    last: read(reader, 'after={cursor:first}&limit=1'),
  },
];

/** A key that is used again: at once, late, and once something else has come. */
const keys: readonly Sequence[] = [
  { steps: [plainSend, { ...plainSend, text: ' again' }], last: read(reader, `${fromStart}&wait=1`) },
  { steps: [plainSend, { ...plainSend, text: ' again' }], last: { ...plainSend, text: ' again' } },
  { steps: [plainSend, { ...plainSend, text: ' again' }], last: plainSend },
  { steps: [plainSend, send(), read(reader, fromStart)], last: plainSend },
];

const files = ['file:first', 'file:second'] as const;
const withFiles = { attachments: files.map((file) => `{${file}}`) };

/** A message that names everybody of the reader. */
const named = send({ mentions: everyName });

const principals = ['agent', 'user', 'machine'].flatMap((kind) => [`${kind}:author`, `${kind}:reader`]);

const acts: readonly Sequence[] = [
  ...['author', 'reader'].map((role): Sequence => {
    const renames = ['agent', 'user', 'machine'].map(
      (kind) => ({ act: 'rename', of: `${kind}:${role}` }) as const,
    );
    return { steps: [named, ...renames], last: read(peer, fromStart) };
  }),
  ...['agent:author', 'agent:reader', 'user:author', 'machine:author'].map((of): Sequence => {
    const [leave, back] = [{ act: 'leave', of } as const, { act: 'return', of } as const];
    const own = read(of.endsWith('author') ? author : reader, fromStart, { what: 'feed' });
    return { steps: [named, own, leave, own, back], last: own };
  }),
  // Every call of somebody who is let in no more.
  ...(['revoke', 'expire'] as const).flatMap((act) =>
    (['token:peer', 'token:api-key'] as const).map((of): Sequence => {
      const by = of === 'token:peer' ? peer : apiKey;
      const look = read(by, fromStart);
      return {
        steps: [look, { act, of }, list(by, 'channels'), list(by, 'receipts'), send({ by })],
        last: look,
      };
    }),
  ),
  // Files that a message has, while they are there and once one is not.
  ...(['channel', 'feed'] as const).map((what): Sequence => {
    const uploads = files.map((of) => ({ act: 'upload', of }) as const);
    const look = read(reader, fromStart, { what });
    const steps = [...uploads, send({ fields: withFiles }), look, { act: 'delete', of: files[0] } as const];
    return { steps, last: look };
  }),
  // Named while it is away.
  {
    steps: [{ act: 'leave', of: 'agent:reader' }, named, { act: 'return', of: 'agent:reader' }],
    last: read(reader, fromStart, { what: 'feed' }),
  },
];

/** What is left where one step is left out. */
function shorter({ steps, last }: Sequence): readonly Sequence[] {
  const newLast = steps.at(-1);
  return [
    ...steps.map((_, at) => ({ steps: steps.toSpliced(at, 1), last })),
    ...(newLast === undefined || 'act' in newLast ? [] : [{ steps: steps.slice(0, -1), last: newLast }]),
  ];
}

/** One of each kind in turn. */
const boundaries: readonly Sequence[] = Array.from({ length: acts.length }, (_, index) =>
  [keys, reports, waits, acts].flatMap((kind) => kind[index] ?? []),
).flat();

const anyAct: fc.Arbitrary<OperatorStep> = fc.oneof(
  {
    arbitrary: fc.record({
      act: fc.constantFrom('rename', 'leave', 'return'),
      of: fc.constantFrom(...principals, 'agent:peer'),
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({
      act: fc.constantFrom('revoke', 'expire'),
      of: fc.constantFrom('token:peer', 'token:api-key'),
    }),
    weight: 1,
  },
  {
    arbitrary: fc.record({ act: fc.constantFrom('upload', 'delete'), of: fc.constantFrom(...files) }),
    weight: 1,
  },
);

const anyRequest: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: anySend.map((step) => ({ ...step, mentions: step.mentions.length > 0 ? everyName : [] })),
    weight: 3,
  },
  { arbitrary: anySend.map((step) => ({ ...step, fields: withFiles })), weight: 1 },
  { arbitrary: anyRead, weight: 2 },
  { arbitrary: fc.nat({ max: 2 }).map((by) => read(by, waiting)), weight: 1 },
  { arbitrary: anyList, weight: 1 },
  { arbitrary: anyReport, weight: 2 },
);

const anySequence: fc.Arbitrary<Sequence> = fc.record({
  steps: fc.array(fc.oneof({ arbitrary: anyRequest, weight: 3 }, { arbitrary: anyAct, weight: 1 }), {
    minLength: 1,
    maxLength: mostSteps,
  }),
  last: anyRequest,
});
