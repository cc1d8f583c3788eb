import * as fc from 'fast-check';
import { inputSpace, type NamedValue } from '../../space/input-space.ts';
import { accept, filledIn, open, reject } from '../../space/labelled.ts';
import type { Expectation, Label, Template } from '../../space/labelled.ts';
import { rankOfJson, simplerStrings } from '../../texts/json-values.ts';
import { shiftedToken } from '../../texts/tokens.ts';

/** An `Authorization` header; `null` for a request without one. */
export interface CredentialInput {
  /** `{token}` stands for a good token, `{look-alike}` for one that looks like it and was never issued. */
  readonly authorization: Template | null;
}

/** The header as it is sent; `undefined` for none. */
export function authorizationOf({ authorization }: CredentialInput, token: string): string | undefined {
  if (authorization === null) return undefined;
  return filledIn(authorization, { token, 'look-alike': shiftedToken(token, 7) });
}

const good = 'Bearer {token}';

const malformedCredentials = {
  'an-empty-header': '',
  'no-token': 'Bearer',
  'no-scheme': '{look-alike}',
  basic: 'Basic {token}',
  'basic-with-a-password': 'Basic YTpi',
  digest: 'Digest username="a", realm="b", nonce="c", uri="/", response="d"',
  'token-scheme': 'Token {token}',
  'api-key-scheme': 'ApiKey {token}',
  'longer-scheme': 'Bearers {token}',
  'shorter-scheme': 'Beare {token}',
};

const unknown = {
  'a-look-alike': 'Bearer {look-alike}',
  'a-word': 'Bearer abc',
  'one-character': 'Bearer x',
  null: 'Bearer null',
  undefined: 'Bearer undefined',
  true: 'Bearer true',
  zero: 'Bearer 0',
  'the-word-bearer': 'Bearer Bearer',
  'a-star': 'Bearer *',
  'a-percent-sign': 'Bearer %',
  'a-uuid': 'Bearer 00000000-0000-4000-8000-0000000000ff',
  'an-unsigned-web-token': 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.',
  '500-characters': `Bearer ${'x'.repeat(500)}`,
};

/** Other spellings of a good credential, and what may be refused on the way. */
const doubtfulCredentials = {
  'scheme-in-small-letters': 'bearer {token}',
  'scheme-in-capitals': 'BEARER {token}',
  'scheme-in-mixed-letters': 'bEARER {token}',
  'no-scheme-before-a-good-one': '{token}',
  'no-scheme-but-a-space': ' {token}',
  'no-space-between': 'Bearer{token}',
  'a-colon-between': 'Bearer:{token}',
  'an-equals-sign-between': 'Bearer={token}',
  'two-spaces-between': 'Bearer  {token}',
  'a-tab-between': 'Bearer\t{token}',
  'a-space-behind': 'Bearer {token} ',
  'more-behind': 'Bearer {token} more',
  'a-parameter-behind': 'Bearer {token}, realm="a"',
  'twice-the-same': 'Bearer {token}, Bearer {token}',
  'quoted-token': 'Bearer "{token}"',
  'one-character-more': 'Bearer {token}x',
  'one-character-before': 'Bearer x{token}',
  'token-twice': 'Bearer {token}{token}',
  'a-letter-beyond-ascii': 'Bearer {token}é',
  'letters-beyond-ascii': 'Bearer tokené',
  'a-lone-letter-beyond-ascii': 'Bearer é',
  'letters-in-utf-8': `Bearer ${Buffer.from('日本', 'utf8').toString('latin1')}`,
  'a-scheme-beyond-ascii': 'é {look-alike}',
  '20000-characters': `Bearer ${'x'.repeat(20_000)}`,
};

/** What can stand in the place of a credential; a call with one that is refused is answered with 401, or 400 for its form. */
export const credentialSpace = inputSpace<CredentialInput>({
  name: 'credential',
  boundaries: [
    { slug: 'good', expectation: 'accept', value: { authorization: good } },
    { slug: 'left-out', expectation: 'reject', value: { authorization: null } },
    ...named('reject', 'malformed', malformedCredentials),
    ...named('reject', 'unknown', unknown),
    ...named('open', 'doubtful', doubtfulCredentials),
  ],
  values: fc
    .oneof(
      { arbitrary: fc.constantFrom(null, good), weight: 1 },
      {
        arbitrary: fc
          .tuple(word(20), fc.constantFrom('', ' ', ':', '='), fc.constant('{token}'))
          .map((parts) => parts.join('')),
        weight: 2,
      },
      { arbitrary: word(20).map((scheme) => `${scheme} {token}`), weight: 2 },
      { arbitrary: word(200).map((token) => `Bearer ${token}`), weight: 4 },
      { arbitrary: anyByte(20).map((text) => `Bearer ${text}`), weight: 1 },
      {
        arbitrary: fc.tuple(word(6), word(6)).map(([before, behind]) => `Bearer ${before}{token}${behind}`),
        weight: 1,
      },
    )
    .map((authorization) => ({ authorization })),
  labelOf: credentialLabel,
  *simpler({ authorization }) {
    for (const each of [null, good, 'Bearer', '{token}', 'Bearer 0', 'Bearer {look-alike}'])
      yield { authorization: each };
    if (authorization === null || authorization.includes('{')) return;
    for (const each of simplerStrings(authorization)) yield { authorization: each };
  },
  rank: ({ authorization }) => rankOfJson(authorization),
});

function credentialLabel({ authorization }: CredentialInput): Label {
  if (authorization === null) return reject('credential/missing', 'auth.missing-credential');
  if (authorization === good) return accept('credential/good-one');
  if (/^bearer(?:[\s:=]+.*|\S*)\{token\}/is.test(authorization)) return open('credential/another-spelling');
  if (/[^ -~]/.test(authorization) || authorization.length > 1000)
    return open('credential/maybe-stopped-on-the-way');
  // A list of credentials, as a proxy makes of two headers, may hold a good one.
  if (/,\s*bearer\s/i.test(authorization)) return open('credential/another-spelling');
  if (/^Bearer +\S/.test(authorization)) return reject('credential/not-issued', 'auth.unknown-credential');
  if (/^bearer\s+\S/i.test(authorization)) return open('credential/another-spelling');
  if (authorization.trim() === '{token}') return open('credential/without-a-scheme');
  return reject('credential/no-bearer-credential', 'auth.malformed-credential');
}

/** Every byte that may stand in a header. */
function anyByte(maxLength: number): fc.Arbitrary<string> {
  const unit = fc.integer({ min: 0x20, max: 0xff }).map((byte) => String.fromCharCode(byte));
  return fc.string({ unit, maxLength });
}

/** Characters of tokens and schemes; no brace, so that no place comes of them by chance. */
function word(maxLength: number): fc.Arbitrary<string> {
  const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/=';
  return fc.string({ unit: fc.constantFrom(...characters.split('')), maxLength, size: 'max' });
}

function named(
  expectation: Expectation,
  kind: string,
  templates: Readonly<Record<string, Template>>,
): NamedValue<CredentialInput>[] {
  return Object.entries(templates).map(([slug, authorization]) => ({
    slug: `${kind}-${slug}`,
    expectation,
    value: { authorization },
  }));
}
