import type { Work } from '../base/clock.ts';
import type { Agent } from '../service/directory.ts';
import type { Lab } from './connection.ts';
import type { Drafts } from './drafts.ts';

/** What may happen to a service while it is used. */
export type Event = 'restart' | 'rename' | 'rename human' | 'deactivate' | 'file';

/** Does what the operator is asked to, at some time. */
export function* operate(lab: Lab, event: Event, agent: Agent): Work {
  yield lab.random.between(100, 900);
  if (event === 'restart') yield* noted(lab, { change: 'restart' }, lab.service.restart());
  if (event === 'rename')
    yield* noted(lab, { change: 'rename', subject: agent.id, detail: 'agent' }, rename(agent));
  if (event === 'rename human' && agent.human !== null) {
    const { human } = agent;
    yield* noted(lab, { change: 'rename', subject: human.id, detail: 'user' }, rename(human));
  }
  if (event === 'file') {
    const subject = 'eeeeeeee-0000-4000-8000-000000000001';
    yield* noted(lab, { change: 'file', subject, detail: 'delete' }, pause(3));
  }
  if (event !== 'deactivate') return;
  const change = { change: 'deactivate', subject: agent.id };
  yield* noted(lab, { ...change, detail: 'inactive' }, activate(agent, false));
  yield lab.random.between(50, 200);
  yield* noted(lab, { ...change, detail: 'active' }, activate(agent, true));
}

/** Others write too. */
export function* strangers(lab: Lab, drafts: Drafts, everyMs: number, untilMs: number): Work {
  const { service, clock, random } = lab;
  while (clock.nowMs < untilMs) {
    service.addForeign(drafts.foreign(random.pick(service.inside.channels).name));
    yield random.between(0, 2 * everyMs);
  }
}

interface Noted {
  readonly change: string;
  readonly subject?: string;
  readonly detail?: string;
}

function* noted({ recorder, clock }: Lab, { change, subject, detail }: Noted, work: Work): Work {
  const startedMs = clock.nowMs;
  yield 2;
  yield* work;
  yield 2;
  recorder.add({
    index: 0,
    kind: 'change',
    client: 'operator',
    agent: 'operator',
    startedMs,
    endedMs: clock.nowMs,
    outcome: 'accepted',
    status: undefined,
    change,
    subject,
    detail,
  });
}

function* rename(named: { name: string | null }): Work {
  named.name = `${named.name ?? 'nobody'} renamed`;
  yield 1;
}

function* activate(agent: Agent, isActive: boolean): Work {
  agent.isActive = isActive;
  yield 1;
}

function* pause(ms: number): Work {
  yield ms;
}
