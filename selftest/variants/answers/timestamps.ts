import { alternatives, leavingOpen, openBy, type Overlay, type Variant } from '../base/variant.ts';
import { objectOf } from '../../mutants/base/spoil-answer.ts';
import { onMessages, onStrings } from './answers.ts';

const inForm = 'service.timestamps-are-rfc-3339 holds for every form of RFC 3339';

/** Every way to write a time that RFC 3339 knows, and some that only ISO 8601 does. */
export const timestampVariants: readonly Variant[] = alternatives({
  ...openBy(inForm, {
    'times-have-lower-case-letters': times((utc) => utc.toLowerCase()),
    'times-have-a-space': times((utc) => utc.replace('T', ' ')),
    'times-have-no-fraction': times((utc) => utc.replace(/\.\d+/, '')),
    'times-have-nine-digits': times((utc) => utc.replace(/(?<=\.\d+)Z/, '123456Z')),
    'times-are-of-no-zone': times((utc) => utc.replace('Z', '-00:00')),
    'times-are-of-a-far-zone': times((utc) => inZone(utc, -(23 * 60 + 59), '-23:59')),
    'times-are-of-a-zone-for-each-call': times((utc, route) =>
      route === 'mentions' ? inZone(utc, 330, '+05:30') : utc,
    ),
    'times-are-in-lower-case-in-mentions': times((utc, route) =>
      route === 'mentions' ? utc.toLowerCase() : utc,
    ),
  }),
  'mentions-show-whole-seconds: nothing says how precise a time is': times((utc, route) =>
    route === 'mentions' ? utc.replace(/\.\d+/, '') : utc,
  ),
  ...openBy(
    'service.timestamps-are-iso-8601; nothing says how precise a time is, nor that all are in one form',
    {
      'mentions-show-whole-minutes': times((utc, route) =>
        route === 'mentions' ? utc.replace(/:\d\d(?:\.\d+)?(?=Z)/, '') : utc,
      ),
    },
  ),
  ...openBy(inForm, {
    'workspace-times-are-leap-seconds': times((utc, route) =>
      route === 'overview' ? '2016-12-31T23:59:60Z' : utc,
    ),
  }),
  ...openBy('service.timestamps-are-iso-8601', {
    'times-are-basic-iso-8601': times((utc) => utc.replace(/[-:]/g, '').replace('.', ',')),
    'times-are-local-iso-8601': times((utc) => utc.replace(/:\d\d(?:\.\d+)?Z/, '')),
  }),
});

/** Rewrites the times of every answer, given in UTC with milliseconds. */
function times(write: (utc: string, route: string | null) => string): Overlay {
  return onStrings((text, name, { route }) => (name.endsWith('_at') ? write(text, route) : text));
}

function inZone(utc: string, minutes: number, offset: string): string {
  const [fraction = ''] = /\.\d+/.exec(utc) ?? [];
  return new Date(Date.parse(utc) + minutes * 60_000).toISOString().replace(/\.\d+Z/, fraction + offset);
}

const sameInstant = 'nothing says how precise a time is, nor that it is written in one way';

/** One instant that is written more or less precisely, as by a cache and by the database behind it. */
export const precisionVariants: readonly Variant[] = leavingOpen({
  ...openBy(sameInstant, {
    'attached-files-show-whole-seconds': onMessages((message) => {
      const { attachments } = message;
      if (!Array.isArray(attachments)) return message;
      const files = attachments.map(objectOf);
      return {
        ...message,
        attachments: files.map((file) => ({ ...file, created_at: withoutFraction(file['created_at']) })),
      };
    }),
    'every-third-read-shows-whole-seconds': ({ nth }) =>
      onMessages((message, { route }) =>
        route === 'read' && nth(3)
          ? { ...message, created_at: withoutFraction(message['created_at']) }
          : message,
      ),
    'uploads-show-nanoseconds': onStrings((text, name, { route }) =>
      route === 'upload' && name.endsWith('_at') ? text.replace(/(\.\d{3})Z$/, '$1999999Z') : text,
    ),
  }),
});

function withoutFraction(time: unknown): unknown {
  return typeof time === 'string' ? time.replace(/\.\d+/, '') : time;
}
