import { constants, createCipheriv, createPublicKey, type KeyObject, publicEncrypt, randomBytes } from 'node:crypto';

const ivBytes = 12;
const tagBytes = 16;

/** Encrypts as the browser does (api contract §3.5.7). Undefined if the key is invalid. */
export function sealForKey(text: string, pem: string): string | undefined {
  const receiver = parsePublicKey(pem);
  if (!receiver) return undefined;
  const key = randomBytes(32);
  const iv = randomBytes(ivBytes);
  const wrapped = publicEncrypt({ key: receiver, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, key);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, wrapped, sealed, cipher.getAuthTag()]).toString('base64');
}

/**
 * True if a value was sealed for this key. This cannot be certain without the private key, so doubtful values count as
 * plain text (decision 0074).
 */
export function isSealedForKey(value: unknown, pem: string): value is string {
  if (typeof value !== 'string') return false;
  const modulus = readModulus(pem);
  if (!modulus) return false;
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length < ivBytes + modulus.length + tagBytes || bytes.toString('base64') !== value) return false;
  const wrapped = bytes.subarray(ivBytes, ivBytes + modulus.length);
  return Buffer.compare(wrapped, modulus) < 0 && looksRandom(bytes) && !isKnownFile(bytes);
}

/** True if the key is valid for sealing. */
export function isSealingKey(pem: string): boolean {
  return parsePublicKey(pem) !== undefined;
}

/** Parses a PEM as the browser does: any line breaks, with or without header and footer. */
function parsePublicKey(pem: string): KeyObject | undefined {
  const der = Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64');
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    // a shorter key is too small or too weak for an AES key
    return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 1024 ? key : undefined;
  } catch {
    // the caller reports an invalid key
    return undefined;
  }
}

function readModulus(pem: string): Buffer | undefined {
  const { n } = parsePublicKey(pem)?.export({ format: 'jwk' }) ?? {};
  return n === undefined ? undefined : Buffer.from(n, 'base64url');
}

/**
 * In ciphertext all half-bytes are equally frequent; text and most files are far from that. At 90 (15 degrees of
 * freedom), one ciphertext in 10^12 would be taken for plain text.
 */
function looksRandom(bytes: Buffer): boolean {
  const counts = new Array<number>(16).fill(0);
  for (const byte of bytes) {
    for (const half of [byte >> 4, byte & 15]) counts[half] = (counts[half] as number) + 1;
  }
  const expected = (bytes.length * 2) / 16;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0) < 90;
}

/** Keys and archives look random too, but have known headers: DER of exactly this length, gzip. */
function isKnownFile(bytes: Buffer): boolean {
  const isDer = bytes[0] === 0x30 && bytes[1] === 0x82 && bytes.readUInt16BE(2) === bytes.length - 4;
  return isDer || (bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8);
}
