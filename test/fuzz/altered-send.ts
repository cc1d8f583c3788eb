import type { FailureFile } from '../../fuzz/campaign/failure-file.ts';

/** A failure of a send whose content was altered. */
export function alteredSend(body: string, clause: FailureFile['failure']['clause']): FailureFile {
  return {
    format: 'conform-failure/1',
    root: `${clause} | content-corruption`,
    verdict: 'failed',
    failure: {
      clause,
      part: 'content-corruption',
      call: 'send',
      seenIn: 'readBack',
      expected: 'the content',
      actual: 'another',
    },
    label: 'content',
    found: { seed: 1, caseIndex: 1, phase: 'boundaries', times: 3, of: 3, again: { times: 1, of: 1 } },
    request: {
      call: 'send',
      method: 'POST',
      path: '/v0/channels/{channel}/messages',
      headers: {
        authorization: 'Bearer {token:author}',
        'content-type': 'application/json',
        'idempotency-key': '{key}',
      },
      body: { runs: [[body, 1]] },
    },
  };
}
