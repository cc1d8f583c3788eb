import { isFields, onMessages, onStrings } from './answers.ts';
import { leavingOpen, type Variant } from '../base/variant.ts';

const sameInstant = 'nothing says how precise a time is, nor that it is written in one way';

/** One instant that is written more or less precisely, as by a cache and by the database behind it. */
export const precisionVariants: readonly Variant[] = leavingOpen({
  [sameInstant]: {
    'attached-files-show-whole-seconds': () => ({
      answer: onMessages((message) => {
        const files = message['attachments'];
        if (!Array.isArray(files)) return message;
        const attachments = files.map((file: unknown) =>
          isFields(file) ? { ...file, created_at: withoutFraction(file['created_at']) } : file,
        );
        return { ...message, attachments };
      }),
    }),
    'every-third-read-shows-whole-seconds': () => {
      let reads = 0;
      return {
        answer: onMessages((message, { route }) => {
          if (route !== 'read') return message;
          reads += 1;
          return reads % 3 === 0
            ? { ...message, created_at: withoutFraction(message['created_at']) }
            : message;
        }),
      };
    },
    'uploads-show-nanoseconds': () => ({
      answer: onStrings((text, name, { route }) =>
        route === 'upload' && name.endsWith('_at') ? text.replace(/(\.\d{3})Z$/, '$1999999Z') : text,
      ),
    }),
  },
});

function withoutFraction(time: unknown): unknown {
  return typeof time === 'string' ? time.replace(/\.\d+/, '') : time;
}
