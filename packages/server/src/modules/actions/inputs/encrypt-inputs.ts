import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { UserInputs } from '@portolan/contract';
import { type AppError, invalidRequest } from '../../../platform/errors.ts';

type Values = Readonly<Record<string, unknown>>;

/** The inputs that are stored and sent encrypted, whoever encrypts them. */
export function encryptedInputs({ properties }: UserInputs): string[] {
  return Object.entries(properties).flatMap(([key, { encryption }]) => (encryption ? [key] : []));
}

/**
 * The values as they are stored: those to be encrypted here as base64 of IV (16 bytes), ciphertext and tag (16 bytes),
 * AES-256-GCM under the first 32 bytes of the client secret (api contract §3.5.7). What the browser encrypts stays.
 */
export function encryptInputs({ properties }: UserInputs, values: Values, clientSecret: string | undefined): Values {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      if (properties[key]?.encryption !== 'aes256-gcm' || value === null || value === undefined) return [key, value];
      if (clientSecret === undefined) throw noSecret(key);
      return [key, encrypt(typeof value === 'string' ? value : JSON.stringify(value), clientSecret)];
    }),
  );
}

/**
 * The values before `encryptInputs`. What the browser encrypted stays as it is.
 * @throws AppError `invalid_request` for what was encrypted under another client secret
 */
export function decryptInputs({ properties }: UserInputs, values: Values, clientSecret: string | undefined): Values {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const input = properties[key];
      if (input?.encryption !== 'aes256-gcm' || typeof value !== 'string') return [key, value];
      if (clientSecret === undefined) throw noSecret(key);
      const text = decrypt(value, clientSecret);
      if (text === undefined) {
        const message = 'was encrypted with a client secret that was rotated since; run the action anew';
        throw invalidRequest([{ path: `/properties/${key}`, message }], 'The run');
      }
      return [key, input.type === 'string' ? text : JSON.parse(text)];
    }),
  );
}

/** Credentials that were made before their secret was kept cannot encrypt (decision 0031). */
function noSecret(key: string): AppError {
  const message = "cannot be encrypted: rotate the organization's credentials once, then their secret is at hand";
  return invalidRequest([{ path: `/properties/${key}`, message }], 'The run');
}

function encrypt(text: string, clientSecret: string): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-gcm', keyOf(clientSecret), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64');
}

function decrypt(sealed: string, clientSecret: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < 32) return undefined;
  const opener = createDecipheriv('aes-256-gcm', keyOf(clientSecret), bytes.subarray(0, 16), { authTagLength: 16 });
  opener.setAuthTag(bytes.subarray(-16));
  try {
    return Buffer.concat([opener.update(bytes.subarray(16, -16)), opener.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function keyOf(clientSecret: string): Buffer {
  const key = Buffer.alloc(32);
  Buffer.from(clientSecret).copy(key);
  return key;
}
