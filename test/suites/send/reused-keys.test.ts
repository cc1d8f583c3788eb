import { describe, expect, it } from 'vitest';
import { contractRules } from '../../../reference/index.ts';
import { allChecks } from '../../../suites/index.ts';
import { findingsOf, runAgainst } from '../run-suite.ts';

const race = 'send.short-messages-at-once-under-one-key-leave-one';

/** What is made of several races whose sends take so long, and do not see one another; those of the first key that comes see each other. */
async function racesWhere(pauseMs: (content: string) => number) {
  const keyOfText = new Map<unknown, string>();
  const rules: typeof contractRules = {
    ...contractRules,
    comparedKey: (key, body) => {
      keyOfText.set(body['content'], key);
      return contractRules.comparedKey(key, body);
    },
    pauseBeforeCommitMs: (content) => {
      const [first] = keyOfText.values();
      return keyOfText.get(content) === first ? 0 : pauseMs(content);
    },
    onKeyInFlight: () => 'ignore',
  };
  const checks = allChecks.filter(({ id }) => id === race);
  const run = await runAgainst(checks, { rules });
  const [clause] = run.checks.find(({ check }) => check === race)?.clauses ?? [];
  return { verdict: clause?.verdict, reason: clause?.reason };
}

describe('several sends at once under one key', () => {
  it('are found to be stored where each of them is slow', async () => {
    expect(await racesWhere(() => 600)).toMatchObject({ verdict: 'warned' });
  });

  it('prove nothing where one is so late that the key may be gone, and all are stored', async () => {
    expect(await racesWhere((text) => (text.includes('the last') ? 6_000 : 40))).toEqual({
      verdict: 'inconclusive',
      reason: expect.stringContaining('the key may have been forgotten') as unknown,
    });
  });
});

/** What is found of keys that come again for another text, under such rules. */
async function foundWith(rules: Partial<typeof contractRules>): Promise<readonly string[]> {
  const checks = allChecks.filter(
    ({ id }) => id === 'send.key-of-another-message-is-refused-beside-anything',
  );
  return findingsOf(await runAgainst(checks, { rules: { ...contractRules, ...rules } }));
}

/** The same, where keys are compared like this. */
function foundWhere(comparedKey: typeof contractRules.comparedKey): Promise<readonly string[]> {
  return foundWith({ comparedKey });
}

describe('a key that counts for one host, or for one session', () => {
  it.each([[['agent_host']], [['source_session']], [['agent_host', 'source_session']]])(
    'is no mistake (%j)',
    async (fields) => {
      const scopeOf = (body: object): string =>
        JSON.stringify(Object.entries(body).filter(([name]) => fields.includes(name)));
      expect(await foundWhere((key, body) => `${key} ${scopeOf(body)}`)).toEqual([]);
    },
  );

  it.each(['agent_host', 'source_session'])('conflicts there (%s)', async (field) => {
    const found = await foundWhere((key, body) =>
      body[field] === undefined ? key : `${key} ${JSON.stringify(body)}`,
    );
    expect(found).toContain('send.conflict-is-refused failed');
  });

  it.each(['agent_host', 'source_session'])(
    'may be forgotten there sooner than elsewhere (%s)',
    async (field) => {
      const inScope = new Set<string>();
      const found = await foundWith({
        comparedKey: (key, body) => `${key} ${JSON.stringify(body[field])}`,
        fingerprint: (body) => {
          const fingerprint = contractRules.fingerprint(body);
          if (body[field] !== undefined) inScope.add(fingerprint);
          return fingerprint;
        },
        isKeyRecordAlive: ({ fingerprint, recordedMs }, nowMs) =>
          !inScope.has(fingerprint) || nowMs - recordedMs < 280,
        // Whoever waits to see a message comes late with its key.
        statusOfSend: () => 202,
        commitDelayMs: () => 320,
      });
      expect(found).toEqual([]);
    },
  );
});
