import { constants, createCipheriv, createPublicKey, type KeyObject, publicEncrypt, randomBytes } from 'node:crypto';

const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts a text for the holder of an RSA key, as the browser does: base64 of IV (12 bytes), the wrapped AES key
 * (RSA-OAEP, SHA-256) and the AES-256-GCM ciphertext with its tag (api contract §3.5.7). Undefined where the key is none.
 */
export function sealForKey(text: string, pem: string): string | undefined {
  const receiver = publicKeyOf(pem);
  if (!receiver) return undefined;
  const key = randomBytes(32);
  const iv = randomBytes(ivBytes);
  const wrapped = publicEncrypt({ key: receiver, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, key);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, wrapped, sealed, cipher.getAuthTag()]).toString('base64');
}

/**
 * Whether a value is what `sealForKey` or a browser makes for this key. Nobody without the private key can know for
 * certain, so everything that is doubtful counts as plain text (decision 0074).
 */
export function isSealedForKey(value: unknown, pem: string): value is string {
  if (typeof value !== 'string') return false;
  const modulus = modulusOf(pem);
  if (!modulus) return false;
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length < ivBytes + modulus.length + tagBytes || bytes.toString('base64') !== value) return false;
  const wrapped = bytes.subarray(ivBytes, ivBytes + modulus.length);
  return Buffer.compare(wrapped, modulus) < 0 && looksRandom(bytes) && !isKnownFile(bytes);
}

/** Whether values can be sealed with it. */
export function isSealingKey(pem: string): boolean {
  return publicKeyOf(pem) !== undefined;
}

/** The public key of a PEM, its lines in any order of breaks and with or without its frame: as the browser reads it. */
function publicKeyOf(pem: string): KeyObject | undefined {
  const der = Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64');
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    // below this a wrapped key of AES does not fit, or is not worth wrapping
    return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 1024 ? key : undefined;
  } catch {
    // whatever cannot be read is no key, and said so where it is needed
    return undefined;
  }
}

function modulusOf(pem: string): Buffer | undefined {
  const { n } = publicKeyOf(pem)?.export({ format: 'jwk' }) ?? {};
  return n === undefined ? undefined : Buffer.from(n, 'base64url');
}

/**
 * Ciphertexts have every half-byte equally often; texts, and most files, are far from it. At 90 (15 degrees of freedom)
 * one ciphertext in 10^12 would be taken for plain text.
 */
function looksRandom(bytes: Buffer): boolean {
  const counts = new Array<number>(16).fill(0);
  for (const byte of bytes) {
    for (const half of [byte >> 4, byte & 15]) counts[half] = (counts[half] as number) + 1;
  }
  const expected = (bytes.length * 2) / 16;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0) < 90;
}

/** Keys and archives look random too, but begin as such: DER of exactly this length, gzip. */
function isKnownFile(bytes: Buffer): boolean {
  const isDer = bytes[0] === 0x30 && bytes[1] === 0x82 && bytes.readUInt16BE(2) === bytes.length - 4;
  return isDer || (bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8);
}
