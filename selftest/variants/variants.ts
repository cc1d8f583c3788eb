import { envelopeVariants } from './answers/envelopes.ts';
import { nameVariants, ownWordVariants } from './answers/own-words.ts';
import { refusalVariants, successVariants } from './answers/refusals.ts';
import { precisionVariants, timestampVariants } from './answers/timestamps.ts';
import { spellingVariants, stackVariants, wireVariants } from './answers/wire.ts';
import type { Variant } from './base/variant.ts';
import { credentialVariants, machineVariants } from './credentials.ts';
import { cursorVariants } from './reading/cursors.ts';
import { overviewVariants } from './reading/overview.ts';
import { feedVariants, pageVariants } from './reading/pages.ts';
import { receiptVariants } from './reading/receipts.ts';
import { cacheVariants, replicaVariants, visibilityVariants } from './reading/visibility.ts';
import { waitingVariants } from './reading/waiting.ts';
import { inputVariants } from './sending/inputs.ts';
import { fileVariants, messageVariants, repeatVariants } from './sending/messages.ts';
import { sendVariants } from './sending/sends.ts';
import { sequenceVariants } from './sending/sequences.ts';
import { troubleVariants } from './trouble.ts';

/**
 * What a service may do with a request that has reached it, in the order in which they are laid over each other: what changes the
 * shape of an answer comes after what changes its contents.
 */
export const serviceVariants: readonly Variant[] = Object.freeze([
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
  ...spellingVariants,
]);

/** Every variant: what makes bytes of an answer comes last. */
export const variants: readonly Variant[] = Object.freeze([
  ...serviceVariants,
  ...stackVariants,
  ...wireVariants,
]);
