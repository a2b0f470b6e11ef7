import { type Actor, openedFor } from '../../../platform/actor.ts';
import { notFound } from '../../../platform/errors.ts';
import type { SecretScope } from '../../../platform/secrets/secret-scope.ts';
import { permitWhole, teamResolver } from '../../accounts/index.ts';
import type { SealedColumn } from '../../identity/index.ts';
import { deleteSsoSessions } from '../sessions/session.store.ts';
import type { SignInDeps } from '../sign-in.deps.ts';
import {
  type Connection,
  deleteConnectionRow,
  findConnection,
  lockConnection,
  upsertConnection,
} from './connection.store.ts';

const sealPurpose = 'sso client secret';

export const signInSealedColumns: readonly SealedColumn[] = [
  { table: 'sso_connections', column: 'sealed_secret', purpose: () => sealPurpose },
];

export interface ConnectionInput extends Omit<Connection, 'sealedSecret' | 'updatedAt' | 'updatedBy'> {
  /** Null removes the secret; undefined keeps it. */
  readonly clientSecret: string | null | undefined;
}

/**
 * Stores the connection once the provider has answered. The provider can sign in as any user, so this needs an
 * unrestricted administrator.
 * @throws AppError `insufficient_scope`, `sso_provider_unavailable`, `invalid_request`
 */
export async function setConnection(deps: SignInDeps, actor: Actor, input: ConnectionInput): Promise<Connection> {
  const { database, providers, sealer, unitOfWork } = deps;
  const { clientSecret, ...rest } = permitWhole(actor, input, 'setting single sign-on');
  const stored = await findConnection(database, actor.orgId);
  const kept = stored?.issuer === input.issuer && stored.clientId === input.clientId ? stored.sealedSecret : null;
  const sealedSecret =
    clientSecret === undefined ? kept : clientSecret && sealer.seal(actor.orgId, sealPurpose, clientSecret);
  const secret = openSecret(deps, actor.orgId, sealedSecret, openedFor(actor));
  await providers.configurationOf({ issuer: input.issuer, clientId: input.clientId, secret });
  return unitOfWork(actor, async (work) => {
    const before = await lockConnection(work.tx, actor.orgId);
    // unknown teams may be created later; ambiguous names are refused now rather than at a sign-in
    const names = rest.groupTeams.map(({ team }) => team);
    (await teamResolver(work.tx, actor.orgId, actor.model, names))(names, '/groupTeams');
    const scopes = [...new Set(['openid', ...rest.scopes])];
    const domains = rest.domains.map((domain) => domain.toLowerCase());
    const after = { ...rest, scopes, domains, sealedSecret, updatedAt: work.now, updatedBy: actor.id };
    await upsertConnection(work.tx, actor.orgId, after);
    work.record({
      event: before ? 'sso_connection.updated' : 'sso_connection.created',
      action: before ? 'UPDATE' : 'CREATE',
      resourceType: 'sso-connection',
      identifier: input.issuer,
      context: {},
      ...(before ? { before: recorded(before) } : {}),
      after: { ...recorded(after), ...(before ? { secretChanged: before.sealedSecret !== sealedSecret } : {}) },
    });
    return after;
  });
}

/**
 * Ends the sessions that began with it.
 * @throws AppError `not_found`
 */
export async function removeConnection({ unitOfWork }: SignInDeps, actor: Actor): Promise<void> {
  await unitOfWork(actor, async (work) => {
    const before = await lockConnection(work.tx, actor.orgId);
    if (!before) throw notFound('Single sign-on', actor.orgId, 'organization');
    await deleteConnectionRow(work.tx, actor.orgId);
    await deleteSsoSessions(work.tx, actor.orgId);
    work.record({
      event: 'sso_connection.deleted',
      action: 'DELETE',
      resourceType: 'sso-connection',
      identifier: before.issuer,
      context: {},
      before: recorded(before),
    });
  });
}

/** @throws AppError `not_found` */
export async function getConnection({ database }: Pick<SignInDeps, 'database'>, orgId: string): Promise<Connection> {
  const connection = await findConnection(database, orgId);
  if (!connection) throw notFound('Single sign-on', orgId, 'organization');
  return connection;
}

export function openSecret(
  { sealer }: Pick<SignInDeps, 'sealer'>,
  orgId: string,
  sealedSecret: string | null,
  opened: SecretScope,
): string | undefined {
  return sealedSecret === null ? undefined : sealer.open(orgId, sealPurpose, sealedSecret, opened);
}

function recorded({ sealedSecret, updatedAt: _at, updatedBy: _by, ...shown }: Connection) {
  return { ...shown, hasClientSecret: sealedSecret !== null };
}
