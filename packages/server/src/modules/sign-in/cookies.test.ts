import { describe, expect, test } from 'vitest';
import { createCookies, readCookie } from './cookies.ts';
import { readProof, writeProof } from './proof.ts';
import { returnPath } from './sso/return-address.ts';

describe('cookies', () => {
  test('over https are for this host alone, over http without what http cannot keep', () => {
    const secure = createCookies(() => 'https://portal.example');
    expect(secure.set(secure.session, 'x', 60)).toBe(
      '__Host-portolan-session=x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
    );
    const plain = createCookies(() => 'http://127.0.0.1:3000');
    expect(plain.clear(plain.session)).toBe('portolan-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax');
  });

  test.each([
    ['a=1; b=2', '2'],
    ['b=first; b=second', 'first'],
    ['xb=1; b =spaced', 'spaced'],
    ['b', undefined],
    ['=b', undefined],
    [undefined, undefined],
    ['b=has=signs', 'has=signs'],
  ])('of the header %j the value is %j', (header, value) => {
    expect(readCookie(header, 'b')).toBe(value);
  });
});

test('a proof is read as it was written, and nothing else is one', () => {
  const proof = { orgId: 'org_a', id: 'ses_b', secret: 'c'.repeat(43) };
  expect(readProof(writeProof(proof))).toEqual(proof);
  for (const text of [
    undefined,
    '',
    'a.b.c',
    `${writeProof(proof)}c`,
    `x${writeProof(proof)}`,
    `org_a\n.b.${'c'.repeat(43)}`,
  ]) {
    expect(readProof(text)).toBeUndefined();
  }
});

describe('a return address', () => {
  test.each([
    [undefined, '/'],
    ['/', '/'],
    ['/catalog/service?tab=1#top', '/catalog/service?tab=1#top'],
    ['/a/../b', '/b'],
    ['/search?q=https://elsewhere.example', '/search?q=https://elsewhere.example'],
  ])('%j leads to %j', (text, path) => {
    expect(returnPath(text, 'https://portal.example')).toBe(path);
  });

  test.each(['//evil.example', '/..//evil.example', '/%5cevil', '/a b', 'http:evil', '\\\\evil.example', ''])(
    '%j never leads elsewhere',
    (text) => {
      let path = '/';
      try {
        path = returnPath(text, 'https://portal.example');
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_request' });
      }
      expect(new URL(path, 'https://portal.example').origin).toBe('https://portal.example');
    },
  );
});
