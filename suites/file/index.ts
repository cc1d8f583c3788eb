import { checksOf } from '../arrange/checks-of.ts';
import { fileDeletionChecks } from './deletion.ts';
import { fileIntegrityChecks } from './integrity.ts';
import { fileMetadataChecks } from './metadata.ts';
import { filePageChecks } from './pages.ts';
import { fileRestartChecks } from './restart.ts';
import { sameBytesChecks } from './same-bytes.ts';
import { fileVisibilityChecks } from './visibility.ts';

/** The files of a workspace, as messages and calls show them. */
export const fileChecks = checksOf('file', {
  metadata: fileMetadataChecks,
  visibility: fileVisibilityChecks,
  deletion: fileDeletionChecks,
  integrity: fileIntegrityChecks,
  'same-bytes': sameBytesChecks,
  pages: filePageChecks,
  restart: fileRestartChecks,
});
