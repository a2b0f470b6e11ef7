import { createDecipheriv, generateKeyPairSync, privateDecrypt, webcrypto } from 'node:crypto';

/** The key of somebody whom values are sealed for, and what they do with it, written without the product's own code. */
export interface SealingKeys {
  /** The public key as PEM. */
  readonly pem: string;
  /** What is in a sealed value. @throws Error where it was not sealed for this key */
  open(sealed: string): string;
  /** Seals as a browser does. */
  seal(text: string): Promise<string>;
}

export function createSealingKeys(modulusLength = 2048): SealingKeys {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength });
  const wrappedBytes = modulusLength / 8;
  const { subtle } = webcrypto;
  return {
    pem: publicKey.export({ format: 'pem', type: 'spki' }) as string,
    open: (sealed) => {
      const bytes = Buffer.from(sealed, 'base64');
      const wrapped = bytes.subarray(12, 12 + wrappedBytes);
      const key = privateDecrypt({ key: privateKey, oaepHash: 'sha256' }, wrapped);
      const opener = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
      opener.setAuthTag(bytes.subarray(-16));
      return Buffer.concat([opener.update(bytes.subarray(12 + wrappedBytes, -16)), opener.final()]).toString();
    },
    seal: async (text) => {
      const der = publicKey.export({ format: 'der', type: 'spki' });
      const receiver = await subtle.importKey('spki', der, { name: 'RSA-OAEP', hash: 'SHA-256' }, false, ['encrypt']);
      const key = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt']);
      const iv = webcrypto.getRandomValues(new Uint8Array(12));
      const wrapped = await subtle.encrypt({ name: 'RSA-OAEP' }, receiver, await subtle.exportKey('raw', key));
      const sealed = await subtle.encrypt({ name: 'AES-GCM', iv }, key, Buffer.from(text));
      return Buffer.concat([iv, Buffer.from(wrapped), Buffer.from(sealed)]).toString('base64');
    },
  };
}
