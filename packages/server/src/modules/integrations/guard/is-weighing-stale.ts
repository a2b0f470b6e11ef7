import type { Actor } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { findIntegration } from '../integration.store.ts';
import { parseDatasource } from './parse-datasource.ts';

/**
 * True if the caller is an Ocean integration in a resync whose start it reported. Such a client subtracts the entities
 * it wrote from those listed, and deletes the rest only if that is at most `entityDeletionThreshold` of the list
 * (decision 0065).
 */
export async function isWeighingStale(reader: Reader, { orgId, datasource }: Actor): Promise<boolean> {
  const source = parseDatasource(datasource);
  if (!source?.prefix.startsWith('port-ocean/')) return false;
  const integration = await findIntegration(reader, orgId, source.installationId);
  const { status, lastResyncStart } = integration?.resyncState ?? {};
  return status === 'running' && typeof lastResyncStart === 'string';
}
