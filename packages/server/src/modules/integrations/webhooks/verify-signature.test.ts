import { describe, expect, test } from 'vitest';
import { whyUnsigned } from './verify-signature.ts';

// RFC 2202 and RFC 4231, test case 2; and the example in the documentation of a common webhook sender.
const key = 'Jefe';
const text = 'what do ya want for nothing?';
const sha1 = 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79';
const sha256 = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';

const header = 'X-Hub-Signature';
const check = (
  rules: Parameters<typeof whyUnsigned>[0],
  secret: string | undefined,
  given: string | undefined,
  body = text,
) =>
  whyUnsigned(rules, secret, {
    bytes: Buffer.from(body),
    headers: given === undefined ? {} : { 'x-hub-signature': given },
  });
const hex = { signatureHeaderName: header, signatureAlgorithm: 'sha256' as const };

describe('a signature that holds', () => {
  test.each([
    ['sha1', { ...hex, signatureAlgorithm: 'sha1' as const }, key, sha1, text],
    ['sha256', hex, key, sha256, text],
    ['in capitals', hex, key, sha256.toUpperCase(), text],
    ['with a prefix', { ...hex, signaturePrefix: 'sha256=' }, key, `sha256=${sha256}`, text],
    [
      'of published documentation',
      { ...hex, signaturePrefix: 'sha256=' },
      "It's a Secret to Everybody",
      'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
      'Hello, World!',
    ],
    ['plain', { ...hex, signatureAlgorithm: 'plain' as const }, key, key, text],
    [
      'plain with a prefix',
      { ...hex, signatureAlgorithm: 'plain' as const, signaturePrefix: 'Token ' },
      key,
      `Token ${key}`,
      text,
    ],
  ])('%s', (_name, rules, secret, given, body) => {
    expect(check(rules, secret, given, body)).toBeUndefined();
  });

  test('none is needed where no part of one is named', () => {
    expect(check({}, undefined, undefined)).toBeUndefined();
    expect(check({ requestIdentifierPath: '.body.id' }, undefined, 'anything')).toBeUndefined();
  });
});

describe('a signature that does not', () => {
  const prefixed = { ...hex, signaturePrefix: 'sha256=' };
  const plain = { ...hex, signatureAlgorithm: 'plain' as const };
  test.each([
    ['is missing', hex, key, undefined, text],
    ['is empty', hex, key, '', text],
    ['is of another body', hex, key, sha256, `${text} `],
    ['is of another key', hex, 'other', sha256, text],
    ['is of another algorithm', hex, key, sha1, text],
    ['is cut', hex, key, sha256.slice(0, -1), text],
    ['is longer', hex, key, `${sha256}0`, text],
    ['lacks the prefix', prefixed, key, sha256, text],
    ['has the prefix twice', prefixed, key, `sha256=sha256=${sha256}`, text],
    ['is a plain one in another case', plain, key, key.toLowerCase(), text],
    ['is a plain one without its prefix', { ...plain, signaturePrefix: 'Token ' }, key, key, text],
  ])('%s', (_name, rules, secret, given, body) => {
    expect(check(rules, secret, given, body)).toEqual(expect.any(String));
  });

  test.each([
    [{ signatureHeaderName: header }, undefined],
    [{ signatureAlgorithm: 'sha256' as const }, undefined],
    [{}, key],
    [hex, undefined],
    [hex, ''],
    [{ signatureHeaderName: header }, key],
  ])('cannot be checked by half of the rules: %j', (rules, secret) => {
    expect(check(rules, secret, sha256)).toContain('nothing is let in');
  });
});
