import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { ActionInput, UserInputs } from '@portolan/contract/action-inputs';
import { type AppError, invalidRequest } from '../../../platform/errors.ts';
import { isSealedForKey, sealForKey } from './seal-for-key.ts';

type Values = Readonly<Record<string, unknown>>;

export function encryptedInputs({ properties }: UserInputs): string[] {
  return Object.entries(properties).flatMap(([key, { encryption }]) => (encryption ? [key] : []));
}

/** True if the client already encrypted the value for the input's public key. */
export function isSealed({ encryption }: ActionInput, value: unknown): boolean {
  return typeof encryption === 'object' && encryption !== null && isSealedForKey(value, encryption.key);
}

/**
 * The values as stored: `aes256-gcm` inputs are encrypted here (api contract §3.5.7). Values that the browser encrypted
 * stay; those that it should have encrypted but sent as plain text are sealed with the input's key.
 * @throws AppError `invalid_request` without a client secret, or if the key of an input is invalid
 */
export function encryptInputs({ properties }: UserInputs, values: Values, clientSecret: string | undefined): Values {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const input = properties[key];
      const encryption = input?.encryption;
      if (!encryption || value === null || value === undefined || isSealed(input, value)) return [key, value];
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      if (encryption !== 'aes256-gcm') return [key, sealed(key, text, encryption.key)];
      if (clientSecret === undefined) throw noSecret(key);
      return [key, encrypt(text, clientSecret)];
    }),
  );
}

function sealed(key: string, text: string, pem: string): string {
  const value = sealForKey(text, pem);
  if (value !== undefined) return value;
  const message =
    'cannot be encrypted: the key of the input in the action is no public key (RSA, as PEM); correct it there';
  throw invalidRequest([{ path: `/properties/${key}`, message }], 'The run');
}

/**
 * Reverses `encryptInputs`, except for values that the browser encrypted.
 * @throws AppError `invalid_request` for values encrypted under an earlier client secret
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

/** Credentials created before their secrets were stored cannot encrypt (decision 0031). */
function noSecret(key: string): AppError {
  const message = "cannot be encrypted: rotate the organization's credentials once, then their secret is at hand";
  return invalidRequest([{ path: `/properties/${key}`, message }], 'The run');
}

function encrypt(text: string, clientSecret: string): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-gcm', toCipherKey(clientSecret), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64');
}

function decrypt(sealed: string, clientSecret: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < 32) return undefined;
  const opener = createDecipheriv('aes-256-gcm', toCipherKey(clientSecret), bytes.subarray(0, 16), {
    authTagLength: 16,
  });
  opener.setAuthTag(bytes.subarray(-16));
  try {
    return Buffer.concat([opener.update(bytes.subarray(16, -16)), opener.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function toCipherKey(clientSecret: string): Buffer {
  const key = Buffer.alloc(32);
  Buffer.from(clientSecret).copy(key);
  return key;
}
