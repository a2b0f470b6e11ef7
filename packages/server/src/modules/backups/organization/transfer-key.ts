import { createCipheriv, createDecipheriv, createHmac, hkdfSync, scryptSync, timingSafeEqual } from 'node:crypto';

/** What a passphrase gives both installations: secrets on their way, and proof of who wrote a file. */
export interface TransferKey {
  /** The same for the same value at the same place, so that two files of the same rows are equal. */
  seal(place: string, value: string): string;
  /** @throws Error for another place, another passphrase, or a changed text */
  open(place: string, sealed: string): string;
  sign(text: string): string;
  isSigned(text: string, mac: string | undefined): boolean;
}

/** What a sealed value looks like in a file, wherever it stands. */
export const sealedInTransit = /move1\.[\w-]{16}\.[\w-]+/g;

/** Shorter ones can be tried out by whoever gets hold of a file. */
export const passphraseLengthMin = 20;

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * The salt is the organization: both sides have it, and a file of another organization gives whoever tries passphrases no
 * head start. Nonces are made of what is sealed, so that none serves for two different values.
 */
export function createTransferKey(passphrase: string, orgId: string): TransferKey {
  const root = scryptSync(passphrase, `portolan organization ${orgId}`, 32, {
    N: 2 ** 16,
    r: 8,
    p: 1,
    maxmem: 2 ** 27,
  });
  const keyFor = (use: string): Buffer => Buffer.from(hkdfSync('sha256', root, '', `portolan transfer ${use}`, 32));
  const [sealing, nonces, signing] = [keyFor('seal'), keyFor('nonce'), keyFor('sign')];
  const macOf = (text: string): Buffer => createHmac('sha256', signing).update(text).digest();
  return {
    seal(place, value) {
      const nonce = createHmac('sha256', nonces)
        .update(JSON.stringify([place, value]))
        .digest()
        .subarray(0, nonceBytes);
      const cipher = createCipheriv(algorithm, sealing, nonce, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `move1.${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
    },
    open(place, text) {
      const [, nonce = '', sealed = ''] = text.split('.');
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < tagBytes) throw new Error('a sealed value is too short to be one');
      const decipher = createDecipheriv(algorithm, sealing, Buffer.from(nonce, 'base64url'), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(Buffer.from(place));
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]).toString('utf8');
    },
    sign: (text) => macOf(text).toString('hex'),
    isSigned(text, mac) {
      const given = Buffer.from(mac ?? '', 'hex');
      const own = macOf(text);
      return given.length === own.length && timingSafeEqual(given, own);
    },
  };
}
