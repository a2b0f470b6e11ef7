import type { ActionsDeps } from '../../actions.deps.ts';
import type { Backend } from '../backend.ts';
import { writeDescribedEntity } from '../write-described-entity.ts';

/** Merges the entity that an `UPSERT_ENTITY` action describes. */
export function upsertEntityBackend(deps: ActionsDeps): Backend {
  return async (delivery) => {
    const outcome = await writeDescribedEntity(deps, delivery);
    if (outcome.kind === 'failed') return { kind: 'failed', message: outcome.message, canRetry: outcome.mayPass };
    const { isCreated, blueprint, identifier } = outcome;
    return { kind: 'succeeded', message: `${isCreated ? 'Created' : 'Changed'} ${blueprint} "${identifier}"` };
  };
}
