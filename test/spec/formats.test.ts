import { describe, expect, it } from 'vitest';
import { isContentText, isEmail, isProviderDTimestamp, isUuid } from '../../spec/formats.ts';

type Predicate = (text: string) => boolean;

function tables(predicate: Predicate, accepted: readonly string[], refused: readonly string[]): void {
  it.each(accepted)('accepts %j', (text) => expect(predicate(text)).toBe(true));
  it.each(refused)('refuses %j', (text) => expect(predicate(text)).toBe(false));
}

const uuid = '0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9';

describe('a UUID', () => {
  tables(
    isUuid,
    [
      uuid,
      uuid.toUpperCase(),
      '0A1b2C3d-4e5F-6071-8293-a4b5c6d7e8f9',
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
    ],
    [
      '',
      `urn:uuid:${uuid}`,
      `{${uuid}}`,
      uuid.replaceAll('-', ''),
      uuid.replaceAll('-', '_'),
      uuid.slice(1),
      `${uuid}0`,
      ` ${uuid}`,
      `${uuid}\n`,
      uuid.replace('a', 'g'),
      '0a1b2c3-d4e5f-6071-8293-a4b5c6d7e8f9',
    ],
  );
});

describe('an e-mail address', () => {
  tables(
    isEmail,
    [
      'reader.one@mail.test',
      'owner@localhost',
      'owner@x',
      'Reader+tag@Mail.Test',
      "!#$%&'*+-/=?^_`{|}~@mail.test",
      '"reader one"@mail.test',
      '"reader@one"@mail.test',
      String.raw`"reader\"one"@mail.test`,
      '""@mail.test',
      'reader@[127.0.0.1]',
      'reader@[IPv6:::1]',
      'reader@sub-host.mail.test',
      'reader@my_host',
      'reader@1.test',
      'lésér@mail.test',
      'reader@bücher.test',
      '読者@例え.テスト',
      '"読 者"@例え.テスト',
      'reader@xn--bcher-kva.test',
      '👋@mail.test',
    ],
    [
      '',
      'reader',
      '@',
      '@mail.test',
      'reader@',
      'reader@@mail.test',
      'reader@one@mail.test',
      'reader one@mail.test',
      'reader@mail test',
      ' reader@mail.test',
      'reader@mail.test ',
      'reader@mail.test\n',
      'reader\u00a0one@mail.test',
      'reader\u0000@mail.test',
      'reader\ud83d@mail.test',
      '.reader@mail.test',
      'reader.@mail.test',
      'reader..one@mail.test',
      'reader@.mail.test',
      'reader@mail..test',
      'reader@mail.test.',
      'reader@-mail.test',
      'reader@mail-.test',
      'reader@mail=test',
      'reader@[]',
      'reader@[a b]',
      '"reader@mail.test',
      'reader"@mail.test',
      '"reader"one@mail.test',
      'Reader One <reader@mail.test>',
      'reader@mail.test, other@mail.test',
      'mailto:(reader)@mail.test',
    ],
  );

  it('is judged at once, however long it is', () => {
    const startedAt = performance.now();
    expect(isEmail(`${'a.'.repeat(50_000)}@`)).toBe(false);
    expect(isEmail(`a@${'a-'.repeat(50_000)}`)).toBe(false);
    // Linear work on 100,000 characters is a few milliseconds; backtracking would be minutes.
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});

describe('the time in a provider_d session id', () => {
  tables(
    isProviderDTimestamp,
    [
      '20240506_070809_0a1b2c',
      '20240506_070809_0a1b2c3d',
      '20240229_000000_000000',
      '20000229_000000_000000',
      '20241231_235959_ffffff',
      '20161231_235960_ffffff',
      '20240506_070860_ffffff',
      '20240506_240000_ffffff',
      '00000101_000000_ffffff',
    ],
    [
      '',
      '20240506_070809',
      '20240506_070809_0a1b2',
      '20240506_070809_0a1b2c3',
      '20240506_070809_0a1b2c3d4',
      '20240506_070809_0A1B2C',
      '2024-05-06_070809_0a1b2c',
      '20240506T070809_0a1b2c',
      '20240506_070809_0a1b2c\n',
      '20240006_070809_0a1b2c',
      '20241306_070809_0a1b2c',
      '20240500_070809_0a1b2c',
      '20240532_070809_0a1b2c',
      '20240431_070809_0a1b2c',
      '20240230_070809_0a1b2c',
      '20230229_070809_0a1b2c',
      '19000229_070809_0a1b2c',
      '20240506_240001_0a1b2c',
      '20240506_240100_0a1b2c',
      '20240506_240060_0a1b2c',
      '20240506_250809_0a1b2c',
      '20240506_076009_0a1b2c',
      '20240506_070861_0a1b2c',
    ],
  );
});

describe('the text of a content', () => {
  tables(
    isContentText,
    ['.', ' ', '\n', '\u0001', '\ufeff', '\uffff', 'é', '👋', '\ud83d\udc4b', '👋'.repeat(125_000)],
    ['', '\u0000', 'a\u0000b', '\ud83d', '\udc4b', '\udc4b\ud83d', 'a\ud83db', '\ud83d\ud83d\udc4b'],
  );

  it.each([
    ['a', 1],
    ['é', 2],
    ['€', 3],
    ['👋', 4],
  ])('of %j ends at 500,000 bytes', (character, sizeBytes) => {
    expect(isContentText('.'.repeat(500_000 - sizeBytes) + character)).toBe(true);
    expect(isContentText('.'.repeat(500_001 - sizeBytes) + character)).toBe(false);
    expect(isContentText(character.repeat(Math.floor(500_000 / sizeBytes)))).toBe(true);
    expect(isContentText(character.repeat(Math.floor(500_000 / sizeBytes) + 1))).toBe(false);
  });
});
