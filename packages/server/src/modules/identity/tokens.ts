import { hkdfSync } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';

/** How long an access token lives: three hours (api contract §1.2). */
export const tokenSeconds = 3 * 60 * 60;

const issuer = 'portolan';
const audience = 'portolan-api';

export interface TokenClaims {
  readonly clientId: string;
  readonly orgId: string;
  /** False for credentials of a person; a client that runs actions asks for it. */
  readonly isMachine: boolean;
}

export interface VerifiedToken extends TokenClaims {
  readonly expiresAtMs: number;
}

export interface Tokens {
  sign(claims: TokenClaims, now: Date): Promise<string>;
  /** Undefined for anything that is not a living token of this installation: tampered, expired, other algorithm. */
  verify(token: string, now: Date): Promise<VerifiedToken | undefined>;
}

/** Tokens signed with a key derived from the master key (HS256; RFC 7518 §3.2 wants 32 bytes). */
export function createTokens(masterKey: Buffer): Tokens {
  const key = new Uint8Array(hkdfSync('sha256', masterKey, '', 'portolan access tokens', 32));
  return {
    sign: ({ clientId, orgId, isMachine }, now) => {
      const issuedAt = Math.floor(now.getTime() / 1000);
      return new SignJWT({ orgId, isMachine, personalToken: !isMachine })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(clientId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + tokenSeconds)
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
          clientId: String(payload.sub),
          orgId: String(payload['orgId']),
          isMachine: payload['isMachine'] === true,
          expiresAtMs: Number(payload.exp) * 1000,
        };
      } catch {
        // jose throws for every reason a token can be bad; which one is nobody's business but the log's
        return undefined;
      }
    },
  };
}
