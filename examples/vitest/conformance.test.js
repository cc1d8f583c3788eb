import { allChecks, readTarget } from 'messaging-conformance';
import { describeChecks } from 'messaging-conformance/vitest';

// conform.yaml of this folder names the server and its credentials; CONFORM_… variables override it.
describeChecks(allChecks, () => readTarget());
