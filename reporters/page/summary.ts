import type { Column } from '../../harness/results/column.ts';
import type { Tally } from '../../harness/results/generated/events.ts';
import { tallyChecks, tallyClauses } from '../../harness/verdict/tally.ts';
import { totalOf, verdictOf } from '../conclusion.ts';
import { profileInWords } from '../profile.ts';
import { countOf, formatBytes, formatCount, formatDuration } from '../quantities.ts';
import type { RunSoFar } from '../run-so-far.ts';
import { bar } from './bars.ts';
import { html, type Markup, nothing } from './markup.ts';
import { looks } from './states.ts';

/** The top of the page: the verdict, what was tested, and the counts. */
export function summary(run: RunSoFar): Markup {
  const { title, look, text, partial } = verdictOf(run);
  const what = run.footer?.end === 'bailed' ? 'What had not begun' : 'What had not ended';
  const incomplete =
    partial === undefined
      ? nothing
      : html`<p class="incomplete"><strong>Incomplete.</strong> ${what} is shown as inconclusive.</p>`;
  return html`<header class="verdict ${look}">
      <p class="big" aria-hidden="true">${looks[look].sign}</p>
      <div>
        <h1>${title}</h1>
        <p class="conclusion">${text}</p>
        ${incomplete}${profileLine(run)}${about(run)}
      </div>
    </header>
    ${problems(run)}${tallies(run)}`;
}

/** What the server has, in one line. */
export function profileLine(run: RunSoFar): Markup {
  const words = profileInWords(run);
  return words === '' ? nothing : html`<p class="profile"><span class="faint">profile</span> ${words}</p>`;
}

function about({ header, footer }: RunSoFar): Markup {
  if (header === undefined) return html`<p>The results have no header.</p>`;
  const { baseUrl, contractVersion, suiteVersion, startedAt, profile } = header;
  const switches = [
    ...(profile.strict ? ['strict'] : []),
    ...(profile.readOnly ? ['read-only'] : []),
    ...(profile.requirements === undefined ? [] : [`requirements ${profile.requirements}`]),
    ...(profile.selection.length === 0 ? [] : [`only ${profile.selection.join(', ')}`]),
  ];
  const took = footer === undefined ? nothing : html` in ${formatDuration(footer.durationMs)}`;
  return html`<p class="about">
    <code>${baseUrl}</code> <span>contract <code>${contractVersion}</code></span>
    <span>conform <code>${suiteVersion}</code></span>
    <span><time>${startedAt}</time>${took}</span
    >${switches.map((each) => html` <span class="switch">${each}</span>`)}
  </p>`;
}

/** What preflight told of. */
function problems({ preflight }: RunSoFar): Markup {
  const lines = (preflight?.lines ?? []).filter(({ severity }) => severity !== 'info');
  if (lines.length === 0) return nothing;
  return html`<ul class="problems">
    ${lines.map(({ severity, text }) => html`<li class="${severity}"><strong>${severity}</strong> ${text}</li>`)}
  </ul> `;
}

const summaryColumns: readonly Column[] = [
  'failed',
  'warned',
  'inconclusive',
  'known',
  'notScored',
  'notApplicable',
  'passed',
];

function tallies(run: RunSoFar): Markup {
  const { footer, checks, header } = run;
  if (header?.campaign !== undefined) return nothing;
  const clauses = footer?.clauses ?? tallyClauses(checks);
  const rows = [
    tallyRow('must clause', clauses.must),
    tallyRow('inferred clause', clauses.inferred),
    tallyRow('check', footer?.checks ?? tallyChecks(checks)),
  ];
  const aside = `${countOf(clauses.silent, 'clause')} silent: only observed; ${formatCount(clauses.untestable)} not testable by a client`;
  return html`<section class="tallies" aria-label="tally">
    ${rows}
    <p class="faint">${aside}${footer === undefined ? '' : footprint(footer)}</p>
  </section> `;
}

function footprint({
  footprint: { requests, messages, bytesWritten },
}: NonNullable<RunSoFar['footer']>): string {
  return `; ${countOf(requests, 'request')}, ${countOf(messages, 'message')} with ${formatBytes(bytesWritten)} written`;
}

function tallyRow(name: string, tally: Tally): Markup {
  return html`<div class="tally">
    <h2>${countOf(totalOf(tally), name)}</h2>
    ${tallyBar(tally)}
  </div> `;
}

/** Counts as a bar, and in words below it. */
export function tallyBar(tally: Tally): Markup {
  const total = totalOf(tally);
  const used = summaryColumns.filter((column) => (tally[column] ?? 0) > 0);
  const share = (column: Column): number => (tally[column] ?? 0) / Math.max(total, 1);
  const counts = used.toReversed().map(
    (column) =>
      html`<li class="${column}">
        <span aria-hidden="true">${looks[column].sign}</span>
        <b>${formatCount(tally[column] ?? 0)}</b> ${looks[column].name}
      </li>`,
  );
  return html`${bar(used.map((column) => ({ share: share(column), look: column })))}
    <ul class="counts">
      ${counts}
    </ul>`;
}
