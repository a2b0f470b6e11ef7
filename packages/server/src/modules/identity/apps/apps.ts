import type { App } from '@portolan/contract/credentials';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { lockOrganization } from '../../organizations/index.ts';
import { type AppRow, listAppRows } from './app.store.ts';

export function presentApp(app: AppRow, now: Date, secret?: string): App {
  const { previousUntil } = app;
  return {
    id: app.clientId,
    name: app.name,
    enabled: true,
    role: app.role,
    scopes: [...(app.scopes ?? ['*'])],
    ...(secret === undefined ? {} : { secret }),
    createdAt: app.createdAt.toISOString(),
    updatedAt: (app.updatedAt ?? app.createdAt).toISOString(),
    lastUsedAt: app.lastUsedAt?.toISOString() ?? null,
    overlapEndsAt: previousUntil && previousUntil > now ? previousUntil.toISOString() : null,
  };
}

/** The audit state, without anything usable. */
export function recordedApp({ name, role, scopes }: Pick<AppRow, 'name' | 'role' | 'scopes'>) {
  return { name, role, scopes: scopes ?? ['*'] };
}

/**
 * All credentials of the organization, locked together: unique names and the last administrator are rules about all of
 * them.
 */
export async function holdApps({ tx, actor }: Work): Promise<AppRow[]> {
  await lockOrganization(tx, actor.orgId);
  return listAppRows(tx, actor.orgId);
}

/** @throws AppError `not_found` */
export function findApp(apps: readonly AppRow[], clientId: string): AppRow {
  const app = apps.find((each) => each.clientId === clientId);
  if (!app) throw notFound('App', clientId, 'id');
  return app;
}

/** @throws AppError `identifier_taken` */
export function refuseTakenName(apps: readonly AppRow[], name: string, own?: string): void {
  const other = apps.find((each) => each.name === name && each.clientId !== own);
  if (other) throw new AppError('identifier_taken', `The name "${name}" is taken by the credentials ${other.clientId}`);
}

/**
 * Refuses to remove the credentials of this request, and the last with full access.
 * @throws AppError `credential_in_use`, `last_admin_credential`
 */
export function refuseLosing(work: Work, apps: readonly AppRow[], app: AppRow): void {
  if (work.actor.credentialId === app.clientId || work.actor.id === app.clientId) {
    const message = `This request was made with the credentials "${app.name}"; use other ones to delete or restrict them`;
    throw new AppError('credential_in_use', message);
  }
  const isFullAdmin = ({ role, scopes }: AppRow): boolean => role === 'Admin' && (scopes?.includes('*') ?? true);
  if (isFullAdmin(app) && !apps.some((other) => other !== app && isFullAdmin(other))) {
    const message = `"${app.name}" are the last credentials that may administrate the organization; create others first`;
    throw new AppError('last_admin_credential', message);
  }
}

/** Undefined once they were revoked. */
export async function findAppWithin({ tx, actor }: Work, clientId: string): Promise<AppRow | undefined> {
  return (await listAppRows(tx, actor.orgId)).find((each) => each.clientId === clientId);
}
