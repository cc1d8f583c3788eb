import type { Column } from '../../harness/results/column.ts';
import type { FindingEvent } from '../../harness/results/generated/events.ts';
import { knownReason, type RunSoFar } from '../run-so-far.ts';
import { html, type Markup } from './markup.ts';

/** How something stands: by its verdict, or why it has none. */
export type State = Column | 'silent' | 'untestable';

interface Look {
  readonly name: string;
  /** So that nobody depends on colours. */
  readonly sign: string;
}

/** Those that ask for something first. */
export const looks: Readonly<Record<State, Look>> = {
  failed: { name: 'failed', sign: '✕' },
  warned: { name: 'warned', sign: '!' },
  inconclusive: { name: 'inconclusive', sign: '?' },
  known: { name: 'known failure', sign: '~' },
  notScored: { name: 'not scored', sign: '○' },
  notApplicable: { name: 'does not apply', sign: '∅' },
  passed: { name: 'passed', sign: '✓' },
  silent: { name: 'only observed', sign: '·' },
  untestable: { name: 'not testable', sign: '–' },
};

export const states = Object.keys(looks) as readonly State[];

/** A state as a word with its sign. */
export function chip(state: State): Markup {
  const { name, sign } = looks[state];
  return html`<span class="chip ${state}"><span aria-hidden="true">${sign}</span> ${name}</span>`;
}

/** The sign alone, its word for who cannot see it. */
export function sign(state: State): Markup {
  return signAs(state, looks[state].sign, looks[state].name);
}

/** A few characters in the look of a state, and what they say in words. */
export function signAs(state: State, characters: string, words: string): Markup {
  return html`<span class="sign ${state}" role="img" aria-label="${words}">${characters}</span>`;
}

/** Where a finding is counted. */
export function stateOf(finding: FindingEvent, run: RunSoFar): Column {
  if (finding.isScored === false) return 'notScored';
  return knownReason(finding, run) === undefined ? finding.verdict : 'known';
}
