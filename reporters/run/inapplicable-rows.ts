import { inapplicableGroups } from '../inapplicable.ts';
import { countOf } from '../quantities.ts';
import type { RunSoFar } from '../run-so-far.ts';
import { blank, row, span, type Row } from './rows.ts';

/** What this server does not have, once for each such part, with the clauses that then ask nothing of it. */
export function inapplicableRows({ checks }: RunSoFar): Row[] {
  const groups = inapplicableGroups(checks);
  if (groups.length === 0) return [];
  const clauses = new Set(groups.flatMap((group) => group.clauses));
  return [
    row(span('strong', 'DOES NOT APPLY'), `  ${countOf(clauses.size, 'clause')}`),
    blank,
    ...groups.map((group): Row => {
      const names = group.clauses.length > 0 ? group.clauses : group.checks;
      return {
        lead: ['  '],
        follow: '    ',
        text: [`${group.text}: `, span('faint', names.join(', '))],
        fit: 'words',
      };
    }),
  ];
}
