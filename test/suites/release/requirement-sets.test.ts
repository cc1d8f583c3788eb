import { describe, expect, it } from 'vitest';
import { contractVersion } from '../../../harness/results/suite-version.ts';
import { InvalidTarget } from '../../../harness/errors.ts';
import {
  newestRequirementSet,
  readRequirementSet,
  requirementSetNames,
} from '../../../suites/release/requirement-sets.ts';

describe('the requirement sets', () => {
  it('have one for the version of the contract that the suites judge', () => {
    expect(requirementSetNames()).toContain(contractVersion);
  });

  it('give the newest where none is named', () => {
    expect(newestRequirementSet().name).toBe(requirementSetNames().at(-1));
  });

  it('refuse a version that there is none for, and name those there are', () => {
    expect(() => readRequirementSet('0.1.0')).toThrow(InvalidTarget);
    expect(() => readRequirementSet('9.9')).toThrow(
      /no requirement set "9\.9"; there are 0\.1\.0-preview, none/,
    );
    expect(() => readRequirementSet('../../package')).toThrow(InvalidTarget);
  });
});
