import type { InputSpace } from '../../../generators/space/input-space.ts';
import { agentHostSpace } from '../../../generators/spaces/body/agent-host-space.ts';
import type { FilePlace } from '../../../generators/spaces/body/send-body.ts';
import { sourceSessionSpace } from '../../../generators/spaces/session/session-space.ts';
import type { JsonValue } from '../../../generators/texts/json-values.ts';
import type { Part } from './plan.ts';

/** What of an input every server has to take, where it takes the input at all: the named values of its space. */
function takenIn(space: InputSpace<JsonValue>): readonly JsonValue[] {
  return space.boundaries.flatMap(({ expectation, value }) => (expectation === 'accept' ? [value] : []));
}

/** By the field that carries it, in the words of the contract. */
const values: Readonly<Record<'session' | 'host', readonly [field: string, values: readonly JsonValue[]]>> = {
  session: ['source_session', takenIn(sourceSessionSpace)],
  host: ['agent_host', takenIn(agentHostSpace)],
};

/** The parts of a message as fields of a body, and places of files; of two of a kind the last counts, a file once. */
export function carriedOf(parts: readonly Part[]): {
  readonly fields: Readonly<Record<string, JsonValue>>;
  readonly attachments: readonly FilePlace[];
} {
  const fields: Record<string, JsonValue> = {};
  const attachments: FilePlace[] = [];
  for (const { part, index } of parts) {
    if (part === 'file') {
      // Whether a file may stand in a message twice is open.
      if (attachments.length === 0) attachments.push({ file: index });
      continue;
    }
    const [field, all] = values[part];
    fields[field] = all[index % all.length] ?? null;
  }
  return { fields, attachments };
}
