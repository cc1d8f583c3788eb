import type { Work } from '../base/clock.ts';
import type { SiteAgent } from './site.ts';
import { Connection, type Lab, sendOf, tickedMs } from './connection.ts';
import type { Draft, Drafts } from './drafts.ts';

/** What may happen to a service while it is used. */
export type Event = 'restart' | 'rename' | 'rename human' | 'deactivate' | 'file' | 'trespass';

/** Does what the operator is asked to, at some time. */
export function* operate(lab: Lab, event: Event, { id, humanUserId = '' }: SiteAgent): Work {
  const { random, site } = lab;
  const { operator } = site;
  const [file = ''] = site.files;
  yield random.between(100, 900);
  if (event === 'restart') yield* noted(lab, { change: 'restart' }, site.restart());
  if (event === 'rename')
    yield* noted(lab, { change: 'rename', subject: id, detail: 'agent' }, () =>
      operator.renameAgent(id, 'Renamed'),
    );
  if (event === 'rename human' && humanUserId !== '')
    yield* noted(lab, { change: 'rename', subject: humanUserId, detail: 'user' }, () =>
      operator.renameHuman(humanUserId, 'Re Named'),
    );
  if (event === 'file')
    yield* noted(lab, { change: 'file', subject: file, detail: 'delete' }, () => operator.deleteFile(file));
  if (event === 'trespass') yield* trespass(lab);
  if (event !== 'deactivate') return;
  const change = { change: 'deactivate', subject: id };
  yield* noted(lab, { ...change, detail: 'inactive' }, () => operator.deactivateMembership(id));
  yield random.between(50, 200);
  yield* noted(lab, { ...change, detail: 'active' }, () => operator.restoreMembership(id));
}

/** Who is known, and has no access. */
export const intruders = ['outsider', 'stranger'] as const;
/** So often each of them asks for each channel. */
const mostTrespasses = 12;

/** Agents that have no access ask for what others read, again and again. */
function* trespass(lab: Lab): Work {
  const { site, random } = lab;
  for (let times = 0; times < mostTrespasses; times += 1)
    for (const name of intruders) {
      const credential = { name, authorization: `Bearer ${site.tokenOf(name)}` };
      const connection = new Connection(lab, `trespasser ${name}`, credential);
      for (const channel of site.channels) {
        yield* connection.read(channel, { after: 0, limit: 100 });
        yield random.between(5, 40);
      }
    }
}

/** Others write too. */
export function* strangers(lab: Lab, drafts: Drafts, everyMs: number, untilMs: number): Work {
  const { site, clock, random } = lab;
  while (clock.nowMs < untilMs) {
    yield* sendAside(lab, drafts.foreign(random.pick(site.channels)));
    yield random.between(0, 2 * everyMs);
  }
}

/** Sends a message that is in no history. */
export function* sendAside({ site }: Lab, draft: Draft): Work {
  const { headers, body = '', ...request } = sendOf(draft);
  const authorization = `Bearer ${site.stranger.token}`;
  yield* site.ask({ ...request, body, headers: { ...headers, authorization } });
}

interface Noted {
  readonly change: string;
  readonly subject?: string;
  readonly detail?: string;
}

function* noted(lab: Lab, change: Noted, act: (() => unknown) | Work): Work {
  const startedMs = tickedMs(lab);
  yield 2;
  if (typeof act !== 'function') yield* act;
  else {
    act();
    yield 1;
  }
  yield 2;
  lab.recorder.change({ client: 'operator', isDone: true, startedMs, endedMs: tickedMs(lab), ...change });
}
