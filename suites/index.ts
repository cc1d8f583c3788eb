import type { Check } from '../harness/check/check.ts';
import { acceptedCredentialChecks } from './auth/accepted-credentials.ts';
import { closedCallChecks } from './auth/closed-calls.ts';
import { credentialFormChecks } from './auth/credential-forms.ts';
import { endedAccessChecks } from './auth/ended-access.ts';
import { lackingSomebodyChecks } from './auth/lacking-somebody.ts';
import { otherWayChecks } from './auth/other-ways.ts';
import { otherCredentialChecks } from './auth/others.ts';
import { authRestartChecks } from './auth/restart.ts';
import { acceptanceChecks } from './channel-read/acceptance.ts';
import { cursorChecks } from './channel-read/cursor.ts';
import { manyWaitsChecks } from './channel-read/many-waits.ts';
import { recencyChecks } from './channel-read/recency.ts';
import { restartChecks } from './channel-read/restart.ts';
import { sharingChecks } from './channel-read/sharing.ts';
import { waitingChecks } from './channel-read/waiting.ts';
import { listingChecks } from './discovery/listings.ts';
import { openCallChecks } from './discovery/open-calls.ts';
import { pathChecks } from './discovery/paths.ts';
import { errorFormChecks } from './errors/forms.ts';
import { limitChecks } from './errors/limits.ts';
import { fileDeletionChecks } from './file/deletion.ts';
import { fileIntegrityChecks } from './file/integrity.ts';
import { fileMetadataChecks } from './file/metadata.ts';
import { filePageChecks } from './file/pages.ts';
import { fileRestartChecks } from './file/restart.ts';
import { sameBytesChecks } from './file/same-bytes.ts';
import { fileVisibilityChecks } from './file/visibility.ts';
import { mentionAnswerChecks } from './mentions/answers.ts';
import { changeChecks } from './mentions/changes.ts';
import { everybodyChecks } from './mentions/everybody.ts';
import { manyChannelsChecks } from './mentions/many-channels.ts';
import { oddParameterChecks } from './mentions/odd-parameters.ts';
import { mentionOverrideChecks } from './mentions/overrides.ts';
import { mentionPagingChecks } from './mentions/paging.ts';
import { mentionParameterChecks } from './mentions/parameters.ts';
import { mentionRepetitionChecks } from './mentions/repetition.ts';
import { mentionRestartChecks } from './mentions/restart.ts';
import { mentionScopeChecks } from './mentions/scope.ts';
import { mentionTargetChecks } from './mentions/targets.ts';
import { messageAuthorChecks } from './message/author.ts';
import { messageContentChecks } from './message/content.ts';
import { messageFieldChecks } from './message/fields.ts';
import { messageMentionChecks } from './message/mentions.ts';
import { messageRecordChecks } from './message/records.ts';
import { renamingChecks } from './message/renaming.ts';
import { targetPageChecks } from './message/target-pages.ts';
import { unavailablePrincipalChecks } from './message/unavailable.ts';
import { overviewAddressChecks } from './overview/addresses.ts';
import { overviewContentChecks } from './overview/contents.ts';
import { overviewLongListChecks } from './overview/long-lists.ts';
import { overviewMemberChecks } from './overview/members.ts';
import { pageFieldChecks } from './page/pages.ts';
import { longestChecks } from './population/longest.ts';
import { presenceChecks } from './population/presence.ts';
import { fullListChecks } from './receipts/lists.ts';
import { manyAgentsChecks } from './receipts/many-agents.ts';
import { mentionedReceiptChecks } from './receipts/mentioned.ts';
import { previewChecks } from './receipts/previews.ts';
import { receiptRestartChecks } from './receipts/restart.ts';
import { siblingChecks } from './receipts/siblings.ts';
import { togetherChecks } from './receipts/together.ts';
import { sendAcceptanceChecks } from './send/acceptances.ts';
import { besideChecks } from './send/beside.ts';
import { contentSizeChecks } from './send/content-size.ts';
import { keyChecks } from './send/keys.ts';
import { openFormChecks } from './send/open-forms.ts';
import { overLimitChecks } from './send/over-limits.ts';
import { refusalChecks } from './send/refusals.ts';
import { reusedKeyChecks } from './send/reused-keys.ts';
import { grantsNothingChecks } from './source-session/grants-nothing.ts';
import { invalidSessionChecks } from './source-session/invalid.ts';
import { validSessionChecks } from './source-session/valid.ts';

/** The checks by the file in which they are written, below this folder; in the order of the contract. */
const checksByFile: Readonly<Record<string, readonly Check[]>> = {
  'population/presence': presenceChecks,
  'population/longest': longestChecks,
  'message/content': messageContentChecks,
  'message/fields': messageFieldChecks,
  'message/author': messageAuthorChecks,
  'message/unavailable': unavailablePrincipalChecks,
  'message/records': messageRecordChecks,
  'message/mentions': messageMentionChecks,
  'message/target-pages': targetPageChecks,
  'message/renaming': renamingChecks,
  'source-session/valid': validSessionChecks,
  'source-session/invalid': invalidSessionChecks,
  'source-session/grants-nothing': grantsNothingChecks,
  'receipts/previews': previewChecks,
  'receipts/mentioned': mentionedReceiptChecks,
  'receipts/siblings': siblingChecks,
  'receipts/together': togetherChecks,
  'receipts/lists': fullListChecks,
  'receipts/many-agents': manyAgentsChecks,
  'receipts/restart': receiptRestartChecks,
  'file/metadata': fileMetadataChecks,
  'file/visibility': fileVisibilityChecks,
  'file/deletion': fileDeletionChecks,
  'file/integrity': fileIntegrityChecks,
  'file/same-bytes': sameBytesChecks,
  'file/pages': filePageChecks,
  'file/restart': fileRestartChecks,
  'mentions/answers': mentionAnswerChecks,
  'mentions/parameters': mentionParameterChecks,
  'mentions/odd-parameters': oddParameterChecks,
  'mentions/overrides': mentionOverrideChecks,
  'mentions/targets': mentionTargetChecks,
  'mentions/scope': mentionScopeChecks,
  'mentions/many-channels': manyChannelsChecks,
  'mentions/everybody': everybodyChecks,
  'mentions/changes': changeChecks,
  'mentions/paging': mentionPagingChecks,
  'mentions/repetition': mentionRepetitionChecks,
  'mentions/restart': mentionRestartChecks,
  'overview/contents': overviewContentChecks,
  'overview/addresses': overviewAddressChecks,
  'overview/members': overviewMemberChecks,
  'overview/long-lists': overviewLongListChecks,
  'send/acceptances': sendAcceptanceChecks,
  'send/content-size': contentSizeChecks,
  'send/refusals': refusalChecks,
  'send/beside': besideChecks,
  'send/keys': keyChecks,
  'send/reused-keys': reusedKeyChecks,
  'send/open-forms': openFormChecks,
  'send/over-limits': overLimitChecks,
  'channel-read/sharing': sharingChecks,
  'channel-read/acceptance': acceptanceChecks,
  'channel-read/cursor': cursorChecks,
  'channel-read/recency': recencyChecks,
  'channel-read/waiting': waitingChecks,
  'channel-read/many-waits': manyWaitsChecks,
  'channel-read/restart': restartChecks,
  'page/pages': pageFieldChecks,
  'discovery/paths': pathChecks,
  'discovery/open-calls': openCallChecks,
  'discovery/listings': listingChecks,
  'auth/accepted-credentials': acceptedCredentialChecks,
  'auth/closed-calls': closedCallChecks,
  'auth/credential-forms': credentialFormChecks,
  'auth/ended-access': endedAccessChecks,
  'auth/lacking-somebody': lackingSomebodyChecks,
  'auth/others': otherCredentialChecks,
  'auth/other-ways': otherWayChecks,
  'auth/restart': authRestartChecks,
  'errors/limits': limitChecks,
  'errors/forms': errorFormChecks,
};

/** Every check of the project. */
export const allChecks: readonly Check[] = Object.freeze(
  Object.entries(checksByFile).flatMap(([file, checks]) =>
    checks.map((check) => ({ ...check, file: `suites/${file}.ts` })),
  ),
);
