import { html, type Markup } from '../page/markup.ts';
import type { RunOfServer, Server } from './servers.ts';

/** Of a longer history the newest runs. */
const mostShown = 30;

/** The runs of a server, each as something small, the oldest first. */
export function historyStrip({ runs }: Server, shown: (run: RunOfServer) => Markup): Markup {
  return html`<ol class="history" aria-label="history">
    ${runs.slice(-mostShown).map((each) => html`<li>${shown(each)}</li>`)}
  </ol>`;
}
