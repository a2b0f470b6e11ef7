import { hash, verify } from '@node-rs/argon2';

/** OWASP's smallest recommended argon2id setting: 19 MiB, two passes (about 35 ms of one core). */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashSecret(secret: string): Promise<string> {
  return hash(secret, cost);
}

/** Takes the same time whether or not there is a hash, so that an unknown client id cannot be told from a wrong secret. */
export async function verifySecret(storedHash: string | undefined, secret: string): Promise<boolean> {
  const matches = await verify(storedHash ?? (await absentHash()), secret);
  return storedHash !== undefined && matches;
}

let absent: Promise<string> | undefined;
function absentHash(): Promise<string> {
  absent ??= hashSecret('there is no such credential');
  return absent;
}
