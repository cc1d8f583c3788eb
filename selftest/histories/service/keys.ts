import type { Choices } from '../choices/choices.ts';
import type { Agent } from './directory.ts';
import type { Draft, KeyRecord } from './rules.ts';

/** What keys were used for, in the scope that the service chose. */
export class Keys {
  readonly #records = new Map<string, KeyRecord>();
  readonly #choices: Choices['sends'];

  constructor(choices: Choices['sends']) {
    this.#choices = choices;
  }

  /** The record of the key in a send; `undefined` for a fresh key, or none. */
  find(agent: Agent, draft: Draft): KeyRecord | undefined {
    return draft.key === undefined ? undefined : this.#records.get(this.#scoped(agent, draft));
  }

  /** Keeps a record of a send that is under way. */
  begin(agent: Agent, draft: Draft): KeyRecord {
    const record = {
      fingerprint: this.#fingerprint(draft),
      use: useOf(agent, draft),
      isPending: true,
      shown: undefined,
    };
    if (draft.key !== undefined) this.#records.set(this.#scoped(agent, draft), record);
    return record;
  }

  /** Forgets a send that came to nothing. */
  forget(agent: Agent, draft: Draft): void {
    this.#records.delete(this.#scoped(agent, draft));
  }

  /** Whether a record is of this very send. */
  isSame(record: KeyRecord, agent: Agent, draft: Draft): boolean {
    return record.use === useOf(agent, draft) && record.fingerprint === this.#fingerprint(draft);
  }

  #scoped(agent: Agent, { channel, key }: Draft): string {
    const scope = { agent: agent.id, channel, workspace: '' }[this.#choices.keyScope];
    return `${scope} ${String(key)}`;
  }

  #fingerprint({ content, contentType, targets, files, session, host }: Draft): string {
    const type = this.#choices.defaultTypeIsSame ? (contentType ?? 'text/plain') : contentType;
    return JSON.stringify([content.digest, type, targets, files, session, host]);
  }
}

function useOf(agent: Agent, { channel }: Draft): string {
  return `${agent.id} ${channel}`;
}
