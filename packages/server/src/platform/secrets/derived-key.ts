import { hkdfSync } from 'node:crypto';

/** A key for one purpose alone. */
export function derivedKey(masterKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(masterKey, 'base64'), '', purpose, 32));
}
