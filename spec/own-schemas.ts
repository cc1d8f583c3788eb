import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import { packageJson } from './package-file.ts';

/**
 * What spares a validator of a schema that is ours most of the time it takes to make: tests, and not every run, hold the
 * schema against its meta-schema, and the code that is made serves too few values to be worth polishing.
 */
export const quickToMake = { validateSchema: false, code: { optimize: false } } as const;

/** Validators of the definitions of a schema that ships with the package, all made ready when the first is asked for. */
export function definitionsIn(
  path: string,
  options: Options,
): (definition: string) => ValidateFunction<unknown> {
  let ajv: Ajv2020 | undefined;
  const name = path.split('/').at(-1) ?? '';
  return (definition) => {
    ajv ??= new Ajv2020({ ...options, ...quickToMake }).addSchema(packageJson(path) as object);
    const validate = ajv.getSchema(`${name}#/$defs/${definition}`);
    if (validate === undefined) throw new Error(`${path} does not define "${definition}"`);
    return validate;
  };
}

/** The parts of the target file's schema that its page and a template are made of. */
export interface SchemaField {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, SchemaField>>;
  readonly patternProperties?: Readonly<Record<string, SchemaField>>;
}

export interface TargetSchema extends SchemaField {
  readonly $defs: Readonly<Record<string, SchemaField>>;
}
