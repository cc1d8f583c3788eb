/** Kinds of text in a content, the simplest first. */
export const contentKinds = ['plain', 'wide', 'escaped'] as const;
export type ContentKind = (typeof contentKinds)[number];

export const targetKinds = ['agent', 'user', 'machine'] as const;
export type TargetKind = (typeof targetKinds)[number];

/** Where a page begins: at the start, without a cursor, where the client stopped, at the known end, or at an issued cursor. */
export const cursorNames = ['zero', 'none', 'own', 'end'] as const;
export type From = (typeof cursorNames)[number] | number;

export const limits = [100, 7, 1, 'none'] as const;
export type Limit = (typeof limits)[number];

/** What a message is made of; who is mentioned is an index into the agents. */
export interface Text {
  readonly kind: ContentKind;
  /** In UTF-8; the marker is always there. */
  readonly bytes: number;
}

export interface Target {
  readonly kind: TargetKind;
  readonly agent: number;
}

export const partKinds = ['session', 'host', 'file'] as const;
export type PartKind = (typeof partKinds)[number];

/** What a message carries beside its text: one of those of its kind that servers have to take. */
export interface Part {
  readonly part: PartKind;
  readonly index: number;
}

/**
 * A fresh key, one that is used twice at once for one body, or that of an earlier send of the same agent, counted back from the
 * newest: with its body, or with another.
 */
export type KeyChoice = 'fresh' | 'twice' | { readonly again: number } | { readonly changed: number };

export interface SendStep {
  readonly do: 'send';
  readonly channel: number;
  readonly text: Text;
  readonly targets: readonly Target[];
  /** Absent in files of older suites. */
  readonly parts?: readonly Part[];
  readonly key: KeyChoice;
}

/** A send whose connection is cut after so many bytes of the request, or once the answer begins; then its key is tried again. */
export interface DropStep extends Pick<SendStep, 'channel' | 'text' | 'targets' | 'parts'> {
  readonly do: 'drop';
  readonly cut: 'answer' | number;
}

export interface ReadStep {
  readonly do: 'read';
  /** A channel, or the mentions of the client's agent. */
  readonly stream: number | 'feed';
  readonly from: From;
  readonly limit: Limit;
}

export interface PollStep {
  readonly do: 'poll';
  readonly channel: number;
  readonly from: From;
  /** In seconds. */
  readonly wait: number;
}

/** A report that the newest message of the run which a channel has shown was retrieved. */
export interface ReportStep {
  readonly do: 'report';
  readonly channel: number;
}

export const trespasses = ['read', 'send'] as const;

/** Somebody without access asks for what a channel has, or sends to it. */
export interface TrespassStep {
  readonly do: 'trespass';
  readonly what: (typeof trespasses)[number];
  readonly channel: number;
  /** Which of those who have none. */
  readonly who: number;
}

export type Step = ReadStep | SendStep | PollStep | DropStep | ReportStep | TrespassStep;

/** One step of one client. */
export interface Turn {
  readonly client: number;
  /** Coarse: so many {@link delaySlotMs} after the round begins. */
  readonly delay: number;
  readonly step: Step;
}

/** Turns that begin together; those of one client follow each other. */
export interface Round {
  readonly par: readonly Turn[];
}

/** A restart of the server while a round runs. */
export interface Fault {
  readonly round: number;
  readonly delay: number;
}

/**
 * What concurrent clients do, as data. Every number that refers to something is taken modulo what is there when its turn comes,
 * so that any part can be left out and the rest is still a plan.
 */
export interface Plan {
  readonly channels: number;
  readonly agents: number;
  readonly rounds: readonly Round[];
  readonly faults: readonly Fault[];
}

/** Length of one unit of delay in ms. */
export const delaySlotMs = 4;

/** How many steps a plan has. */
export function stepsOf({ rounds }: Plan): number {
  return rounds.reduce((sum, { par }) => sum + par.length, 0);
}
