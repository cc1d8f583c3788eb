import { cacheVariants } from './caches.ts';
import { credentialVariants } from './credentials.ts';
import { cursorVariants } from './cursors.ts';
import { envelopeVariants } from './envelopes.ts';
import { feedVariants } from './feeds.ts';
import { fileVariants } from './files.ts';
import { inputVariants } from './inputs.ts';
import { machineVariants } from './machines.ts';
import { messageVariants } from './messages.ts';
import { nameVariants } from './names.ts';
import { overviewVariants } from './overview.ts';
import { ownWordVariants } from './own-words.ts';
import { pageVariants } from './pages.ts';
import { precisionVariants } from './precision.ts';
import { receiptVariants } from './receipts.ts';
import { refusalVariants } from './refusals.ts';
import { repeatVariants } from './repeats.ts';
import { replicaVariants } from './replicas.ts';
import { sendVariants } from './sends.ts';
import { sequenceVariants } from './sequences.ts';
import { stackVariants } from './stacks.ts';
import { successVariants } from './successes.ts';
import { timestampVariants } from './timestamps.ts';
import { troubleVariants } from './trouble.ts';
import type { Variant } from './variant.ts';
import { visibilityVariants } from './visibility.ts';
import { waitingVariants } from './waiting.ts';
import { wireVariants } from './wire.ts';

/**
 * Every variant, in the order in which they are laid over each other: what changes the shape of an answer comes after
 * what changes its contents, and what makes bytes of it last.
 */
export const variants: readonly Variant[] = Object.freeze([
  ...sequenceVariants,
  ...visibilityVariants,
  ...replicaVariants,
  ...cursorVariants,
  ...pageVariants,
  ...sendVariants,
  ...repeatVariants,
  ...messageVariants,
  ...receiptVariants,
  ...fileVariants,
  ...feedVariants,
  ...machineVariants,
  ...waitingVariants,
  ...refusalVariants,
  ...credentialVariants,
  ...inputVariants,
  ...ownWordVariants,
  ...overviewVariants,
  ...nameVariants,
  ...successVariants,
  ...precisionVariants,
  ...timestampVariants,
  ...cacheVariants,
  ...envelopeVariants,
  ...troubleVariants,
  ...stackVariants,
  ...wireVariants,
]);
