import type { EvidenceExchange, ResultEvent } from '../../../harness/results/generated/events.ts';
import { check, clause, finding, footer, header, preflight, read, tally } from '../events.ts';

/** What would run, load or end something if it were not escaped. */
export const hostileTexts = [
  '<script>window.hacked = 1</script>',
  '</script><script>window.hacked = 1</script>',
  '<img src="http://127.0.0.1:9/x" onerror="window.hacked = 1">',
  '" onmouseover="window.hacked = 1" autofocus onfocus="window.hacked = 1',
  "' onfocus='window.hacked = 1' autofocus='",
  '</pre></details></main><svg onload=window.hacked=1>',
  '</style><style>body{display:none}</style>',
  '<!-- --!> ]]>',
  '&lt;script&gt;',
  '\u2028\u2029\u0000\ud800\u202e`${window.hacked=1}`',
  'javascript:window.hacked=1',
] as const;

/** A run in which everything that may come from a server, or a file, is hostile; or, to compare, as long and plain. */
export function hostileRun(isHostile: boolean): readonly ResultEvent[] {
  const joined = hostileTexts.join(' ');
  const text = isHostile ? joined : joined.replaceAll(/[^`]/gu, 'x');
  const exchange: EvidenceExchange = {
    ...read,
    actor: text,
    request: {
      method: text,
      path: `/${text}`,
      headers: { [text]: text },
      body: { text, totalBytes: 9, isCut: true, path: text },
    },
    response: {
      status: 200,
      headers: { [text]: [text] },
      body: { text, totalBytes: 9, isCut: true, path: text },
    },
    fault: text,
    curl: text,
  };
  const broken = check(`area.${text}`, text, [
    clause('mentions.limit', { verdict: 'failed' }),
    clause(`mentions.${text}`, { verdict: 'inconclusive', reason: text, enable: text }),
  ]);
  return [
    header({ checks: 1, baseUrl: text, contractVersion: text, suiteVersion: text }),
    preflight({ lines: [{ severity: 'warning', text }] }),
    broken,
    finding({
      text,
      source: text,
      check: `area.${text}`,
      expected: text,
      actual: text,
      exchanges: [exchange],
      cause: { check: text, exchange: exchange.id },
      places: [1, 2].map(() => ({ clause: 'mentions.limit', call: text, path: text, actual: text })),
    }),
    { type: 'observation', check: text, name: text, clause: 'mentions.limit', value: text },
    footer({
      exitCode: 1,
      checks: tally(0, 1),
      alsoSeenBy: { F1: [text] },
      requiredInconclusive: [{ clause: 'mentions.limit', reason: text, enable: text }],
      staleBaseline: [{ place: text, clause: text, problem: 'expired', reason: text, expires: text }],
      snapshot: { file: text, kept: 1, changes: [{ check: text, name: text, was: text, is: text }] },
      trouble: { text, atMs: 1, enabled: 1, open: 1 },
    }),
  ];
}
