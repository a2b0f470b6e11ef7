import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A random secret; only its hash is stored. */
export function newProof(): string {
  return randomBytes(32).toString('base64url');
}

/** 256 random bits cannot be guessed, so a fast hash is enough. */
export function hashProof(proof: string): string {
  return createHash('sha256').update(proof).digest('base64url');
}

/** Whether a proof is the one whose hash was stored. */
export function isSameProof(storedHash: string, proof: string): boolean {
  const [a, b] = [Buffer.from(storedHash), Buffer.from(hashProof(proof))];
  return a.length === b.length && timingSafeEqual(a, b);
}

export interface ProofParts {
  readonly orgId: string;
  readonly id: string;
  readonly secret: string;
}

/** A proof that names where its hash is stored: `organization.id.secret`. */
export function writeProof({ orgId, id, secret }: ProofParts): string {
  return `${orgId}.${id}.${secret}`;
}

/** Undefined if malformed. */
export function readProof(text: string | undefined): ProofParts | undefined {
  const [, orgId, id, secret] = /^(org_\w{1,40})\.(\w{1,60})\.([\w-]{43})$/.exec(text ?? '') ?? [];
  return orgId && id && secret ? { orgId, id, secret } : undefined;
}
