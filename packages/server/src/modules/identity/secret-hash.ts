import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { newId } from '../../platform/ids.ts';

/** OWASP's smallest recommended argon2id setting: 19 MiB, two passes (about 35 ms of one core). */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const fastPrefix = 'sha256:';

export interface NewSecret {
  /** The id in the secret's prefix, which its tokens carry. */
  readonly secretId: string;
  readonly secret: string;
  readonly secretHash: string;
}

/**
 * A secret of 256 random bits. It cannot be guessed, so a fast hash is enough, and the right one is recognized in
 * microseconds even under attack (decision 0023).
 */
export function newSecret(): NewSecret {
  const secretId = newSecretId();
  const secret = `${secretId}_${randomBytes(32).toString('base64url')}`;
  return { secretId, secret, secretHash: fastHash(secret) };
}

export function newSecretId(): string {
  return newId('s');
}

/** A slow hash, for secrets that a person may have chosen. */
export function hashSecret(secret: string): Promise<string> {
  return hash(secret, cost);
}

/** Compares with a generated secret; false for the hash of a chosen one. */
export function isGeneratedSecret(storedHash: string | undefined, secret: string): boolean {
  if (!storedHash?.startsWith(fastPrefix)) return false;
  return timingSafeEqual(Buffer.from(storedHash), Buffer.from(fastHash(secret)));
}

/**
 * Compares with a chosen secret. Takes the same time whatever is stored, so that an unknown client id looks like a
 * wrong secret.
 */
export async function isChosenSecret(storedHash: string | undefined, secret: string): Promise<boolean> {
  const isChosen = storedHash !== undefined && !storedHash.startsWith(fastPrefix);
  const matches = await verify(isChosen ? storedHash : await absentHash(), secret);
  return isChosen && matches;
}

function fastHash(secret: string): string {
  return fastPrefix + createHash('sha256').update(secret).digest('hex');
}

let absent: Promise<string> | undefined;
function absentHash(): Promise<string> {
  absent ??= hashSecret('there is no such credential');
  return absent;
}
