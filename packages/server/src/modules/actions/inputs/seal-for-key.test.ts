import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createSealingKeys } from '../../../../test/sealing-keys.ts';
import { isSealedForKey, isSealingKey, sealForKey } from './seal-for-key.ts';

const keys = createSealingKeys();
const large = createSealingKeys(4096);
const pkcs8 = (format: 'pem' | 'der') =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format, type: 'pkcs8' } as never) as
    | string
    | Buffer;

describe('what is sealed', () => {
  test('opens with the private key alone, whatever the text', () => {
    for (const text of ['', 'open sesame', 'ö'.repeat(5000), '{"a":1}']) {
      expect(keys.open(sealForKey(text, keys.pem) ?? '')).toBe(text);
      expect(large.open(sealForKey(text, large.pem) ?? '')).toBe(text);
    }
    expect(sealForKey('x', keys.pem)).not.toBe(sealForKey('x', keys.pem));
  });

  test('is known as sealed whoever sealed it, so that nothing is sealed twice', async () => {
    for (let round = 0; round < 50; round++) {
      expect(isSealedForKey(await keys.seal(''), keys.pem)).toBe(true);
      expect(isSealedForKey(sealForKey('secret '.repeat(round * 40), keys.pem), keys.pem)).toBe(true);
    }
    expect(isSealedForKey(await large.seal('x'), large.pem)).toBe(true);
  });
});

test.each([
  ['a word', 'open sesame'],
  ['nothing', ''],
  ['a number', 7],
  ['an object', { a: 1 }],
  ['a long text', 'correct horse battery staple '.repeat(40)],
  ['letters that base64 has too', 'abcdefghijklmnop'.repeat(40)],
  ['a private key as PEM', pkcs8('pem')],
  ['a private key as base64', (pkcs8('der') as Buffer).toString('base64')],
  ['a text as base64', Buffer.from('correct horse battery staple '.repeat(40)).toString('base64')],
  ['a document as base64', Buffer.from(JSON.stringify({ keys: Array(40).fill('s3cr3t') })).toString('base64')],
  ['an archive as base64', gzipSync(randomBytes(600)).toString('base64')],
  ['a token of a few hundred signs', randomBytes(190).toString('base64')],
  ['base64 of another alphabet', randomBytes(600).toString('base64url')],
])('%s is plain text', (_, value) => {
  expect(isSealedForKey(value, keys.pem)).toBe(false);
});

test('the key is read as the browser reads it: RSA, with or without its frame', () => {
  const bare = keys.pem.replace(/-----[^-]+-----/g, '');
  expect(keys.open(sealForKey('x', bare.replace(/\n/g, '')) ?? '')).toBe('x');
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'pem', type: 'spki' });
  for (const pem of ['', 'a key', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', elliptic as string]) {
    expect([isSealingKey(pem), sealForKey('x', pem), isSealedForKey('x', pem)]).toEqual([false, undefined, false]);
  }
  expect(isSealingKey(keys.pem)).toBe(true);
});
