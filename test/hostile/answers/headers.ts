import { front, json, raw, withHeader } from '../../fixtures/front.ts';
import { rows, words } from '../frame/row.ts';

/** Answers with headers that nobody should send, and redirects. */
export const headerRows = rows({
  'a Retry-After of a million years on one call ends its checks, not the run': {
    server: front({
      instead: ({ call }) =>
        call === 'overview'
          ? json('429 Too Many Requests', '{"error":{"code":"x","message":"m"}}', [
              'Retry-After: 31536000000000',
            ])
          : undefined,
    }),
    args: words('--target conform.yaml --clause overview.needs-no-body'),
    expected: { exit: 3, says: '(exit 3)', budgetS: 25 },
  },
  'cookies are not sent back': {
    server: front({
      instead: ({ request }) =>
        request.headers.cookie === undefined
          ? undefined
          : json('400 Bad Request', '{"error":{"code":"cookie","message":"m"}}'),
      changed: withHeader('set-cookie', ['a=1; Path=/', 'b=2']),
    }),
    expected: { exit: 0, says: 'conforms' },
  },
  'the date of a server a hundred years ahead is mentioned': {
    server: front({ changed: withHeader('date', 'Fri, 31 Dec 2123 23:59:59 GMT') }),
    expected: { exit: 0, says: 'clock' },
  },
  'a redirect to another host is not followed': {
    server: front({
      instead: () => raw('302 Found', ['Location: http://127.0.0.1:1/v0/mentions', 'Content-Length: 0']),
    }),
    expected: { exit: 3, says: 'was redirected' },
  },
  'a redirect of one call alone is judged as an answer': {
    server: front({
      instead: ({ call, request }) =>
        call === 'mentions' && request.url?.includes('limit=101') === true
          ? raw('302 Found', ['Location: http://127.0.0.1:1/', 'Content-Length: 0', 'Connection: close'])
          : undefined,
    }),
    expected: { exit: 1, says: 'does not conform' },
  },
});

/** Others of them, every night. */
export const otherHeaderRows = rows({
  'a header of 60 KB is no crash': {
    server: front({ changed: withHeader('x-long', 'x'.repeat(60_000)) }),
    expected: { exit: [0, 3], says: '(exit' },
  },
  'a header with bytes beyond ASCII is no crash': {
    server: front({ changed: withHeader('x-bytes', '\u00ff\u0080\u009b31m') }),
    expected: { exit: 0, says: 'conforms' },
  },
  'a Retry-After that is no number is no wait of NaN': {
    server: front({
      instead: ({ call, number }) =>
        call === 'mentions' && number % 7 === 0
          ? json('429 Too Many Requests', '{"error":{"code":"x","message":"m"}}', ['Retry-After: soon'])
          : undefined,
    }),
    expected: { exit: [0, 1, 3], says: '(exit', budgetS: 40 },
  },
});
