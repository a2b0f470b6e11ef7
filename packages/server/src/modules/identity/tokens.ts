import { hkdfSync } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';

/** How long an access token lives: three hours (api contract §1.2). */
export const tokenSeconds = 3 * 60 * 60;

const issuer = 'portolan';
const audience = 'portolan-api';

/** The credential a token was made with, or an API token. */
export type TokenKind = 'credential' | 'api-token';

export interface TokenClaims {
  readonly kind: TokenKind;
  /** The client id, or the id of the API token. */
  readonly id: string;
  readonly orgId: string;
  /** The secret it was made with; revoking that ends the token. */
  readonly secretId: string;
  /** False for credentials of a person; clients that run actions check it. */
  readonly isMachine: boolean;
}

export interface VerifiedToken extends Omit<TokenClaims, 'isMachine'> {
  readonly expiresAtMs: number;
}

export interface Tokens {
  /** Lives three hours unless `expiresAt` is given. */
  sign(claims: TokenClaims, now: Date, expiresAt?: Date): Promise<string>;
  /** Undefined unless valid here and now: not tampered with, expired, or signed otherwise. */
  verify(token: string, now: Date): Promise<VerifiedToken | undefined>;
}

/** Tokens signed with a key derived from the master key (HS256; RFC 7518 §3.2 wants 32 bytes). */
export function createTokens(masterKey: Buffer): Tokens {
  const key = new Uint8Array(hkdfSync('sha256', masterKey, '', 'portolan access tokens', 32));
  return {
    sign: ({ kind, id, orgId, secretId, isMachine }, now, expiresAt) => {
      const issuedAt = Math.floor(now.getTime() / 1000);
      return new SignJWT({ orgId, isMachine, personalToken: !isMachine, kind, sid: secretId })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(id)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt ? Math.floor(expiresAt.getTime() / 1000) : issuedAt + tokenSeconds)
        .sign(key);
    },
    verify: async (token, now) => {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ['HS256'],
          issuer,
          audience,
          currentDate: now,
          requiredClaims: ['sub', 'exp', 'orgId'],
        });
        return {
          kind: payload['kind'] === 'api-token' ? 'api-token' : 'credential',
          id: String(payload.sub),
          orgId: String(payload['orgId']),
          secretId: String(payload['sid'] ?? ''),
          expiresAtMs: Number(payload.exp) * 1000,
        };
      } catch {
        // callers need not know which of jose's reasons it was
        return undefined;
      }
    },
  };
}
