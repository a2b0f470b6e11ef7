import { isSameProof } from '../../sign-in/index.ts';
import type { ConnectedAppsDeps } from '../connected-apps.deps.ts';
import { endGrant } from '../end-grant.ts';
import { deleteToken, findToken } from '../token.store.ts';
import { findGranter } from './exchange.ts';
import { readOauthProof } from './oauth-tokens.ts';
import { hashClientId } from './registrations.ts';

/**
 * Ends an access token, or everything that hangs on a refresh token (RFC 7009). Whoever has a token may end it; a client
 * that names itself only its own. What is not there has ended already.
 */
export async function revokeToken(deps: ConnectedAppsDeps, text: string, clientId: string | undefined): Promise<void> {
  const proof = readOauthProof('access', text) ?? readOauthProof('refresh', text);
  const token = proof && (await findToken(deps.database, proof.orgId, proof.id));
  if (!token || !isSameProof(token.secretHash, proof.secret)) return;
  if (clientId !== undefined && token.clientHash !== hashClientId(clientId)) return;
  await deps.unitOfWork(await findGranter(deps, token), async (work) => {
    if (token.kind === 'access') await deleteToken(work.tx, token.orgId, token.id);
    else await endGrant(work, token.grantId, { message: 'The app signed itself out' });
  });
}
