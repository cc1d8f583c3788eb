import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import { encodings } from './encodings.ts';

const secret = 'ak_9/Fq+7~Zr2.LmX0==/tail';
const known = new KnownSecrets([secret]);

describe('a text of a server', () => {
  it.each(Object.entries(encodings))('holds no secret %s', (_, encode) => {
    const sent = encode(secret);
    for (const [before, after] of [
      ['', ''],
      ['{"a":"', '"}'],
      ['code_', '_code'],
      ['%', '%'],
    ] as const) {
      const clean = known.clean(`${before}${sent}${after}`);
      expect(clean).toContain('<redacted>');
      expect(clean.startsWith(before) && clean.endsWith(after)).toBe(true);
      expect(clean.length).toBeLessThanOrEqual(before.length + after.length + 45);
    }
  });

  it.each(Object.entries(encodings))('is cleaned before it is cut, with a secret %s', (_, encode) => {
    const sent = encode(secret);
    const cut = known.beginning(`${'x'.repeat(90)} ${sent} and more`, 100);
    expect(cut).toEqual({
      text: expect.stringMatching(/^x{90} "?[^"]{0,13}<?r?e?d?a?c?t?e?$/) as string,
      isCut: true,
    });
  });

  it.each(Object.entries(encodings))(
    'holds no beginning of a secret %s that was cut off before',
    (_, encode) => {
      const sent = encode(secret);
      for (let length = Math.ceil(sent.length / 2); length < sent.length; length += 1) {
        const clean = known.clean(`expected x, got "${sent.slice(0, length)}…"`);
        expect(clean).toMatch(/^expected x, got "[^<]{0,14}<redacted>[^<]{0,14}…"$/);
      }
    },
  );

  it('holds none that was changed by a character, nor the half of one', () => {
    for (let at = 0; at < secret.length; at += 1) {
      const changed = `${secret.slice(0, at)}!${secret.slice(at + 1)}`;
      expect(known.clean(`a ${changed} z`).length).toBeLessThan(30);
    }
    expect(known.clean(`a ${secret.slice(0, 12)} z`)).toBe('a <redacted> z');
    expect(known.clean(`a ${secret.slice(-12)} z`)).toBe('a <redacted> z');
    expect(known.clean(`a …${secret.slice(-9)} z`)).toBe('a …<redacted> z');
    expect(known.clean(`a ${secret.slice(-9)} z`)).toBe(`a ${secret.slice(-9)} z`);
  });

  it('holds none of two that overlap, nor the rest of a longer one', () => {
    const both = new KnownSecrets(['key-1234567', 'key-1234567-and-more', '4567-and-other']);
    expect(both.clean('key-1234567-and-more')).toBe('<redacted>');
    expect(both.clean('a key-1234567-and-other z')).not.toMatch(/123|other/);
  });

  it('holds no secret that was learned later', () => {
    const later = new KnownSecrets();
    expect(later.clean(secret)).toBe(secret);
    later.learn([secret]);
    expect(later.clean(secret)).toBe('<redacted>');
  });

  it('holds no secret whatever stands around it', () => {
    const around = fc.stringMatching(/^[\\%&#;x"u0-9a-f/+ -]{0,8}$/);
    fc.assert(
      fc.property(fc.stringMatching(/^[!-~]{12,40}$/), around, around, (own, before, after) => {
        const clean = new KnownSecrets([own]).clean(`${before}${own}${after}`);
        expect(clean).not.toContain(own);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['a backslash, which is undone with the quote after it', 'abcdef"ghij\\', ''],
    ['two of them', 'tok"en-tok"en\\\\', ''],
    ['a percent sign, which the text after it makes an escape', '!!!!!!!!!"%0', '0'],
    ['a percent sign alone', 'abcdef"ghij%', '41'],
    ['an ampersand', 'abcdef"ghij&', 'lt;'],
  ])('holds none in JSON that ends with %s', (_, own, after) => {
    const shown = new KnownSecrets([own]).clean(JSON.stringify({ own: `${own}${after}` }));
    expect(shown).toMatch(/^\{"own":"<redacted>.{0,5}"\}$/);
  });

  it.each([
    ['of two digits', '%', '41abcde"ghij'],
    ['of a semicolon', '&l', 't;abcdefg"ij'],
    ['of an escape of JSON', '\\', 'u0041abcdefg"'],
  ])('holds none in JSON whose beginning %s what stands before it makes an escape', (_, before, own) => {
    const shown = new KnownSecrets([own]).clean(JSON.stringify({ own: `${before}${own}` }));
    expect(shown).toMatch(/^\{"own":".{0,8}<redacted>"\}$/);
  });

  it('keeps what is no secret as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(known.clean(text)).toBe(text);
      }),
    );
  });
});

describe('a secret that is hardly one', () => {
  it.each(['message', 'ok', '7', '200', 'Production', 'a'])('eats no evidence when it is %s', (word) => {
    const evidence = `{"${word}":"${word}","id":200,"n":7} ${word}`;
    expect(new KnownSecrets([word]).clean(evidence)).toBe(evidence);
    expect(new KnownSecrets([word]).clean(`authorization: Bearer ${word}`)).toBe(
      'authorization: Bearer <redacted>',
    );
  });

  it('is replaced as a word of its own when it is short, the longest first, and an empty one nowhere', () => {
    const short = new KnownSecrets(['', 's3cr', 's3cr-1']);
    expect(short.clean('Bearer , a s3cr-1, no s3crs')).toBe('Bearer , a <redacted>, no s3crs');
  });
});

it('a value has neither strings nor names with a secret', () => {
  const value = { [`x-${secret}`]: [secret, 7, null, { code: `E_${secret.toUpperCase()}` }] };
  expect(known.cleaned(value)).toEqual({
    'x-<redacted>': ['<redacted>', 7, null, { code: 'E_<redacted>' }],
  });
});

it('the cost does not grow with the number of secrets', () => {
  const many = new KnownSecrets(
    Array.from({ length: 2_000 }, (_, index) => `agent_${index}_9fK2x7Qp0Lm4Zt8V`),
  );
  const text = JSON.stringify({ content: 'some "quoted" words\n'.repeat(50_000) });
  many.clean(text);
  const before = process.cpuUsage();
  many.clean(text);
  // A million characters; a regular expression of all forms takes seconds.
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
});
