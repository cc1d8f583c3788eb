import type { DegenerateServer } from '../answers/degenerate-server.ts';
import { jsonAnswer, startAnswering } from '../answers/http-answers.ts';
import { agentIdHeader, emptyPage, uuidOf } from '../answers/plausible-bodies.ts';

/** `mentions` has exactly the fields of the mentions call; `any` holds the items of every read at once. */
type EmptyPageFlavour = 'mentions' | 'any';

/** Answers everything with a valid page of nothing and an agent id that is constant for each credential. */
export async function startEmptyPage(flavour: EmptyPageFlavour): Promise<DegenerateServer> {
  const items = flavour === 'mentions' ? { mentions: [] } : { mentions: [], messages: [] };
  return startAnswering(`empty-page-${flavour}`, ({ headers }) =>
    jsonAnswer(200, { ...items, page: emptyPage }, { [agentIdHeader]: uuidOf(headers.authorization ?? '') }),
  );
}
