import { Ajv2020 } from 'ajv/dist/2020.js';

const text = { type: 'string', minLength: 1 };
const texts = { type: 'array', items: text, minItems: 1 };

/** An object with these keys and no other. */
function closed(properties: object, required: readonly string[] = []): object {
  return { type: 'object', properties, required, additionalProperties: false };
}

const service = closed(
  {
    image: text,
    build: closed({ context: text, dockerfile: text }, ['context']),
    command: texts,
    init: { const: true },
    read_only: { const: true },
    tmpfs: { const: ['/tmp'] },
    cap_drop: { const: ['ALL'] },
    security_opt: { const: ['no-new-privileges:true'] },
    network_mode: { type: 'string', pattern: '^service:\\w+$' },
    volumes: { type: 'array', items: { type: 'string', pattern: '^\\w+:/\\w+(?::ro)?$' } },
    healthcheck: closed(
      {
        test: { ...texts, prefixItems: [{ enum: ['CMD', 'CMD-SHELL'] }] },
        interval: { type: 'string', pattern: '^\\d+s$' },
        timeout: { type: 'string', pattern: '^\\d+s$' },
        retries: { type: 'integer' },
      },
      ['test'],
    ),
    depends_on: {
      type: 'object',
      additionalProperties: closed(
        { condition: { enum: ['service_started', 'service_healthy', 'service_completed_successfully'] } },
        ['condition'],
      ),
    },
  },
  ['image', 'command', 'init', 'read_only', 'tmpfs', 'cap_drop', 'security_opt'],
);

const volume = closed({
  driver: text,
  driver_opts: closed({ type: text, device: text, o: text }, ['type', 'device']),
});

/** Those keys of a compose file that we use, and what our services have to keep to. */
export const composeSchema = {
  ...closed(
    {
      name: text,
      services: { type: 'object', additionalProperties: service },
      volumes: { type: 'object', additionalProperties: { anyOf: [volume, { type: 'null' }] } },
    },
    ['services'],
  ),
  patternProperties: { '^x-': {} },
};

const job = closed(
  {
    stage: { enum: ['build', 'test', 'deploy'] },
    image: text,
    timeout: { type: 'string', pattern: '^\\d+ (?:minutes|hours)$' },
    variables: { type: 'object', additionalProperties: { type: 'string' } },
    script: texts,
    artifacts: closed({
      when: { enum: ['always', 'on_failure', 'on_success'] },
      expire_in: { type: 'string', pattern: '^\\d+ days$' },
      paths: texts,
      reports: closed({ junit: text, codequality: text }),
    }),
  },
  ['image', 'script'],
);

/** Those keys of a GitLab pipeline that we use: jobs alone. */
export const pipelineSchema = { type: 'object', additionalProperties: job, minProperties: 1 };

/** Where a document leaves a schema. */
export function schemaErrors(schema: object, document: unknown): string[] {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  ajv.validate(schema, document);
  return (ajv.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
}
