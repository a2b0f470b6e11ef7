import { hkdfSync } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';

/** How long an access token lives: three hours (api contract §1.2). */
export const tokenSeconds = 3 * 60 * 60;

const issuer = 'portolan';
const audience = 'portolan-api';

/** What a token stands for: the credential it was made with, or an API token of its own. */
export type TokenKind = 'credential' | 'api-token';

export interface TokenClaims {
  readonly kind: TokenKind;
  /** Of the credential (its client id) or of the API token. */
  readonly id: string;
  readonly orgId: string;
  /** Which of the secrets it was made with; it ends with that one. */
  readonly secretId: string;
  /** False for credentials of a person; a client that runs actions asks for it. */
  readonly isMachine: boolean;
}

export interface VerifiedToken extends Omit<TokenClaims, 'isMachine'> {
  readonly expiresAtMs: number;
}

export interface Tokens {
  /** Lives for three hours unless `expiresAt` says otherwise. */
  sign(claims: TokenClaims, now: Date, expiresAt?: Date): Promise<string>;
  /** Undefined for anything that is not a living token of this installation: tampered, expired, other algorithm. */
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
        // jose throws for every reason a token can be bad; which one is nobody's business but the log's
        return undefined;
      }
    },
  };
}
