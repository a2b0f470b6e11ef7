import { newId } from '../../../platform/ids.ts';
import { hashProof, newProof, type ProofParts, readProof, writeProof } from '../../sign-in/index.ts';

/** How they begin says what they are, to people who find one and to the one place that accepts it. */
const prefixes = { access: 'mcpa_', refresh: 'mcpr_', code: 'mcpo_' } as const;
export type ProofKind = keyof typeof prefixes;

/** A new secret and the hash of it that is stored. */
export function newOauthProof(kind: ProofKind, orgId: string) {
  const [id, secret] = [newId(`${kind}_`), newProof()];
  return { id, secretHash: hashProof(secret), text: prefixes[kind] + writeProof({ orgId, id, secret }) };
}

/** Undefined if it is of another kind or malformed. */
export function readOauthProof(kind: ProofKind, text: string | undefined): ProofParts | undefined {
  const prefix = prefixes[kind];
  return text?.startsWith(prefix) ? readProof(text.slice(prefix.length)) : undefined;
}

/** Whether an `Authorization` header carries an access token of an app, good or not. */
export function isAppToken(authorization: string | undefined): boolean {
  return bearer(authorization)?.startsWith(prefixes.access) ?? false;
}

export function bearer(authorization: string | undefined): string | undefined {
  return authorization?.replace(/^bearer\s+/i, '').trim();
}
