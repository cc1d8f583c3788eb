/**
 * What spares a validator of a schema that is ours most of the time it takes to make: tests, and not every run, hold the
 * schema against its meta-schema, and the code that is made serves too few values to be worth polishing.
 */
export const quickToMake = { validateSchema: false, code: { optimize: false } } as const;
