import { onStrings } from './answers.ts';
import { alternatives, type Overlay, type Variant } from '../base/variant.ts';

const inForm = 'service.timestamps-are-rfc-3339 holds for every form of RFC 3339';

/** Every way to write a time that RFC 3339 knows, and some that only ISO 8601 does. */
export const timestampVariants: readonly Variant[] = alternatives(
  { id: 'times-have-lower-case-letters', words: inForm, options: () => times((utc) => utc.toLowerCase()) },
  { id: 'times-have-a-space', words: inForm, options: () => times((utc) => utc.replace('T', ' ')) },
  { id: 'times-have-no-fraction', words: inForm, options: () => times((utc) => utc.replace(/\.\d+/, '')) },
  {
    id: 'times-have-nine-digits',
    words: inForm,
    options: () => times((utc) => utc.replace('Z', '123456Z')),
  },
  { id: 'times-are-of-no-zone', words: inForm, options: () => times((utc) => utc.replace('Z', '-00:00')) },
  {
    id: 'times-are-of-a-far-zone',
    words: inForm,
    options: () => times((utc) => inZone(utc, -(23 * 60 + 59), '-23:59')),
  },
  {
    id: 'times-are-of-a-zone-for-each-call',
    freedom: 36,
    words: inForm,
    options: () => times((utc, route) => (route === 'mentions' ? inZone(utc, 330, '+05:30') : utc)),
  },
  {
    id: 'times-are-in-lower-case-in-mentions',
    freedom: 36,
    words: inForm,
    options: () => times((utc, route) => (route === 'mentions' ? utc.toLowerCase() : utc)),
  },
  {
    id: 'mentions-show-whole-seconds',
    freedom: 36,
    words: 'nothing says how precise a time is',
    options: () => times((utc, route) => (route === 'mentions' ? utc.replace(/\.\d+/, '') : utc)),
  },
  {
    id: 'workspace-times-are-leap-seconds',
    words: inForm,
    options: () => times((utc, route) => (route === 'overview' ? '2016-12-31T23:59:60Z' : utc)),
  },
  {
    id: 'times-are-basic-iso-8601',
    words: 'service.timestamps-are-iso-8601',
    mayWarn: ['service.timestamps-are-rfc-3339'],
    options: () => times((utc) => utc.replace(/[-:]/g, '').replace('.', ',')),
  },
  {
    id: 'times-are-local-iso-8601',
    words: 'service.timestamps-are-iso-8601',
    mayWarn: ['service.timestamps-are-rfc-3339'],
    options: () => times((utc) => utc.replace(/:\d\d\.\d+Z/, '')),
  },
);

/** Rewrites the times of every answer, given in UTC with milliseconds. */
function times(write: (utc: string, route: string | null) => string): Overlay {
  return {
    answer: onStrings((text, name, { route }) => (name.endsWith('_at') ? write(text, route) : text)),
  };
}

function inZone(utc: string, minutes: number, offset: string): string {
  return new Date(Date.parse(utc) + minutes * 60_000).toISOString().replace('Z', offset);
}
