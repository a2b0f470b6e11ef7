import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';
import { createSealer } from './sealer.ts';

const sealer = createSealer(Buffer.alloc(32, 1));
const sealed = sealer.seal('org_a', 'secret x', 'a value');

test.each(['a value', '', 'ä\n\u{1f600}', 'x'.repeat(100_000)])('what was sealed opens again', (value) => {
  expect(sealer.open('org_a', 'p', sealer.seal('org_a', 'p', value), createSecretScope())).toBe(value);
});

test('one value is never sealed alike twice, and does not show', () => {
  expect(sealer.seal('org_a', 'secret x', 'a value')).not.toBe(sealed);
  expect(Buffer.from(sealed.split('.')[3] as string, 'base64url').toString('latin1')).not.toContain('a value');
});

describe('does not open', () => {
  test('for another organization, purpose or master key', () => {
    expect(() => sealer.open('org_b', 'secret x', sealed, createSecretScope())).toThrow();
    expect(() => sealer.open('org_a', 'secret y', sealed, createSecretScope())).toThrow();
    expect(() => createSealer(randomBytes(32)).open('org_a', 'secret x', sealed, createSecretScope())).toThrow(
      'was sealed with the key',
    );
  });

  test('when a character of it was changed', () => {
    const parts = sealed.split('.');
    for (const index of [0, 1, 2, 3]) {
      const part = parts[index] as string;
      const changed = parts.with(index, (part.startsWith('A') ? 'B' : 'A') + part.slice(1)).join('.');
      expect(() => sealer.open('org_a', 'secret x', changed, createSecretScope())).toThrow();
    }
    for (const cut of ['', sealed.slice(0, -30), `${parts.slice(0, 3).join('.')}.`]) {
      expect(() => sealer.open('org_a', 'secret x', cut, createSecretScope())).toThrow();
    }
  });
});
