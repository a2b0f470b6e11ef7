import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

import type { SecretScope } from '../../../platform/secrets/secret-scope.ts';

/** Seals values at rest, bound to an organization and a purpose. */
export interface Sealer {
  seal(orgId: string, purpose: string, value: string): string;
  /**
   * The only way to read a secret: it is added to `opened`, which masks whatever comes of the work.
   * @throws Error if sealed for another organization or purpose, with another key, or changed
   */
  open(orgId: string, purpose: string, sealed: string, opened: SecretScope): string;
}

/** Tells master keys apart and nothing of them. */
export function masterKeyId(masterKey: Buffer): string {
  return createHash('sha256').update('portolan key id').update(masterKey).digest('hex').slice(0, 16);
}

const version = 'v1';
const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM with a key of each organization, derived from the master key. The id of the master key stands beside the
 * sealed text, so that a change of the key is noticed as that and old values can be told from new ones. `onOpen` is told
 * of every value that is opened.
 */
export function createSealer(masterKey: Buffer, onOpen: (value: string) => void = () => undefined): Sealer {
  const keyId = masterKeyId(masterKey);
  const keyOf = (orgId: string): Buffer =>
    Buffer.from(hkdfSync('sha256', masterKey, orgId, 'portolan sealed values', 32));
  const boundTo = (orgId: string, purpose: string): Buffer =>
    Buffer.from(JSON.stringify([version, keyId, orgId, purpose]));
  return {
    seal(orgId, purpose, value) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, keyOf(orgId), nonce, { authTagLength: tagBytes });
      cipher.setAAD(boundTo(orgId, purpose));
      const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [version, keyId, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
    },
    open(orgId, purpose, text, opened) {
      const [given, givenKeyId, nonce = '', sealed = ''] = text.split('.');
      if (given !== version) throw new Error(`a sealed value has the unknown version ${given?.slice(0, 10)}`);
      if (givenKeyId !== keyId) {
        throw new Error(`a value was sealed with the key ${givenKeyId}, and the master key of now is ${keyId}`);
      }
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv(algorithm, keyOf(orgId), Buffer.from(nonce, 'base64url'), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(boundTo(orgId, purpose));
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      const value = Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]).toString('utf8');
      opened.add(value);
      onOpen(value);
      return value;
    },
  };
}
