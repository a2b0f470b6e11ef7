import { ApiError, type Client } from '@portolan/contract/client';
import { createEntity } from '@portolan/contract/entities';
import { type EvalReport, evalBlueprints } from '@portolan/contract/evaluation';
import { toRunEntities } from '@portolan/evaluation';

/**
 * Keeps a run as entities, one for each variant; nothing is kept where the blueprint of runs is not there.
 * @returns why it could not be kept, if so: a run is no worse for that
 */
export async function recordRun(client: Client, report: EvalReport): Promise<string | undefined> {
  try {
    for (const body of toRunEntities(report)) {
      await client.call(createEntity, { params: { blueprint_identifier: evalBlueprints.runs }, body });
    }
    return undefined;
  } catch (error) {
    return error instanceof ApiError && error.status === 404 ? undefined : (error as Error).message;
  }
}
