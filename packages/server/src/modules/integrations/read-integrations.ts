import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { findIntegration, findIntegrationById, listIntegrationRows } from './integration.store.ts';
import type { StoredIntegration } from './integration.ts';
import { assertMayRead, assertMayReport, assertWithin } from './integration-rights.ts';

/** @throws AppError `missing_permissions` */
export async function listIntegrations(
  reader: Reader,
  actor: Actor,
  filter: { readonly actionsProcessingEnabled?: boolean | undefined } = {},
): Promise<StoredIntegration[]> {
  assertMayRead(actor);
  const rows = await listIntegrationRows(reader, actor.orgId);
  const all = rows.filter(({ installationId }) => (actor.boundTo ?? installationId) === installationId);
  const { actionsProcessingEnabled: wanted } = filter;
  if (wanted === undefined) return all;
  return all.filter(({ details }) => (details.actionsProcessingEnabled ?? false) === wanted);
}

/** @throws AppError `missing_permissions`, `not_found` */
export async function getIntegration(
  reader: Reader,
  actor: Actor,
  identifier: string,
  byField = 'installationId',
): Promise<StoredIntegration> {
  assertMayRead(actor);
  const found =
    byField === 'logIngestId'
      ? await findIntegrationById(reader, actor.orgId, identifier)
      : await findByName(reader, actor.orgId, identifier);
  if (!found) throw integrationMissing(identifier, byField);
  assertWithin(actor, found.installationId);
  return found;
}

/** Finds by installation id or internal id: two documented routes take the internal one. */
export async function getIntegrationByEither(reader: Reader, actor: Actor, name: string): Promise<StoredIntegration> {
  assertMayRead(actor);
  const found = (await findIntegrationById(reader, actor.orgId, name)) ?? (await findByName(reader, actor.orgId, name));
  if (!found) throw integrationMissing(name);
  assertWithin(actor, found.installationId);
  return found;
}

/** The integration that sends a report. @throws AppError `missing_permissions`, `not_found` */
export async function getReporting(reader: Reader, actor: Actor, ingestId: string): Promise<StoredIntegration> {
  assertMayReport(actor);
  const found = await findIntegrationById(reader, actor.orgId, ingestId);
  if (!found) throw integrationMissing(ingestId, 'logIngestId');
  assertWithin(actor, found.installationId);
  return found;
}

/** One client encodes a blank in a path as `+`, so the name with blanks is tried second. */
async function findByName(reader: Reader, orgId: string, name: string): Promise<StoredIntegration | undefined> {
  const found = await findIntegration(reader, orgId, name);
  if (found || !name.includes('+')) return found;
  return findIntegration(reader, orgId, name.replaceAll('+', ' '));
}

export function integrationMissing(name: string, byField = 'installationId') {
  return notFound('Integration', name.slice(0, 200), byField);
}
