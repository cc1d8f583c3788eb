import type { Check } from '../../harness/check/check.ts';
import { fileDeletionChecks } from './deletion.ts';
import { fileMetadataChecks } from './metadata.ts';
import { fileVisibilityChecks } from './visibility.ts';

/** The files of a workspace, as messages and calls show them. */
export const filesChecks: readonly Check[] = [
  ...fileMetadataChecks,
  ...fileVisibilityChecks,
  ...fileDeletionChecks,
];
