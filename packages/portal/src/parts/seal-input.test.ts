import { createDecipheriv, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { expect, test } from 'vitest';
import { sealInput } from './seal-input.ts';

test('only the holder of the key reads what was sealed', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const bytes = Buffer.from(await sealInput('pässword', pem), 'base64');
  const key = privateDecrypt({ key: privateKey, oaepHash: 'sha256' }, bytes.subarray(12, 268));
  const opener = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
  opener.setAuthTag(bytes.subarray(-16));
  expect(Buffer.concat([opener.update(bytes.subarray(268, -16)), opener.final()]).toString()).toBe('pässword');
  await expect(sealInput('x', 'no key')).rejects.toThrow();
});
