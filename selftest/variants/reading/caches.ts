import type { Answer, AnsweredRequest } from '../../../reference/model/answer.ts';
import { lagMayShow } from './visibility.ts';
import { but, leavingOpen, type Variant } from '../base/variant.ts';

/** How long an answer stands for later ones to the same request, in ms. */
const freshForMs = 150;

/** A cache between the service and whoever reads. */
export const cacheVariants: readonly Variant[] = leavingOpen({
  'nothing says that a read is as recent as one of another page': {
    'the-same-read-is-answered-from-a-cache': but(
      {
        excludes: [
          'sends-become-visible-later',
          'sends-become-visible-late',
          'mentions-become-visible-later',
          'reads-come-from-replicas',
          'replicas-clamp-the-cursor',
          'replicas-trim-late',
          'a-replica-that-is-behind-conflicts',
        ],
        mayWarn: lagMayShow(),
      },
      () => {
        const kept = new Map<string, { readonly answer: Answer; readonly untilMs: number }>();
        return {
          answer: (answer, request) => {
            if (!isCached(answer, request)) return undefined;
            const key = keyOf(request);
            const known = kept.get(key);
            if (known !== undefined && performance.now() < known.untilMs) return known.answer;
            kept.set(key, { answer, untilMs: performance.now() + freshForMs });
            return undefined;
          },
        };
      },
    ),
  },
});

/** Successful pages; a read that waits is there to see what is new. */
function isCached({ status }: Answer, { route, query }: AnsweredRequest): boolean {
  const isRead = route === 'mentions' || (route === 'read' && query['wait'] === undefined);
  return isRead && status === 200;
}

function keyOf({ path, query, headers }: AnsweredRequest): string {
  return JSON.stringify([path, query, headers['authorization']]);
}
