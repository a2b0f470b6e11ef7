import { ApiError, type Client } from '@portolan/contract/client';
import { createEntity } from '@portolan/contract/entities';
import { type EvalReport, evalBlueprints } from '@portolan/contract/evaluation';
import { keepRun } from '@portolan/evaluation';

/**
 * Keeps a run as entities, one for each variant; nothing is kept where the blueprint of runs is not there.
 * @returns why it could not be kept, if so: a run is no worse for that
 */
export async function recordRun(client: Client, report: EvalReport): Promise<string | undefined> {
  try {
    await keepRun(
      report,
      (body) => client.call(createEntity, { params: { blueprint_identifier: evalBlueprints.runs }, body }),
      (error) => error instanceof ApiError && error.status === 422,
    );
    return undefined;
  } catch (error) {
    return error instanceof ApiError && error.status === 404 ? undefined : (error as Error).message;
  }
}
