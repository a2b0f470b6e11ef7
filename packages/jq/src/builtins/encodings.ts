import { raise, raiseAbout } from '../evaluate/raise.ts';
import { wellFormed } from '../value/text.ts';

const base64Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Encodes bytes in groups as letters of `bits` bits each, padded with `=` to whole groups. */
function encodeBits(text: string, letters: string, bits: number, groupSize: number): string {
  const bytes = new TextEncoder().encode(wellFormed(text));
  let encoded = '';
  let pending = 0;
  let pendingBits = 0;
  for (const byte of bytes) {
    pending = ((pending << 8) | byte) & 0xffff;
    pendingBits += 8;
    while (pendingBits >= bits) {
      pendingBits -= bits;
      encoded += letters[(pending >> pendingBits) & ((1 << bits) - 1)];
    }
  }
  if (pendingBits > 0) encoded += letters[(pending << (bits - pendingBits)) & ((1 << bits) - 1)];
  while (encoded.length % groupSize !== 0) encoded += '=';
  return encoded;
}

export function encodeBase64(text: string): string {
  return encodeBits(text, base64Letters, 6, 4);
}

export function encodeBase32(text: string): string {
  return encodeBits(text, base32Letters, 5, 8);
}

/** Decodes letters to bytes; undefined for an invalid letter. Spare bits at the end are dropped. */
function decodeBits(text: string, letters: string, bits: number): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * bits) / 8));
  let size = 0;
  let pending = 0;
  let pendingBits = 0;
  for (const letter of text) {
    const value = letters.indexOf(letter);
    if (value === -1) return undefined;
    pending = ((pending << bits) | value) & 0xffff;
    pendingBits += bits;
    if (pendingBits < 8) continue;
    pendingBits -= 8;
    bytes[size++] = (pending >> pendingBits) & 0xff;
  }
  return bytes.subarray(0, size);
}

/** Invalid UTF-8 becomes U+FFFD, as in jq. */
function utf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

export function decodeBase64(text: string): string {
  const letters = text.replace(/=+$/, '');
  const bytes = decodeBits(letters, base64Letters, 6);
  if (bytes === undefined) throw raiseAbout(text, 'is not valid base64 data');
  if (letters.length % 4 === 1) throw raiseAbout(text, 'trailing base64 byte found');
  return utf8(bytes);
}

export function decodeBase32(text: string): string {
  const bytes = decodeBits(text.replace(/=+$/, ''), base32Letters, 5);
  if (bytes === undefined) throw raiseAbout(text, 'is not valid base32 data');
  return utf8(bytes);
}

/** `@urid`: percent escapes become bytes; an invalid escape is an error. */
export function decodePercent(text: string): string {
  if (/%(?![0-9a-fA-F]{2})/.test(text)) throw raise(`string (${JSON.stringify(text)}) is not a valid uri encoding`);
  const bytes = new TextEncoder().encode(wellFormed(text));
  const decoded = new Uint8Array(bytes.length);
  let size = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 0x25) {
      decoded[size++] = Number.parseInt(String.fromCharCode(bytes[at + 1]!, bytes[at + 2]!), 16);
      at += 2;
    } else decoded[size++] = bytes[at]!;
  }
  return utf8(decoded.subarray(0, size));
}
