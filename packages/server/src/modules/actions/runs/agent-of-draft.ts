import type { Tx } from '../../../platform/db/database.ts';
import { findBlueprint } from '../../blueprints/index.ts';
import { lockEntities } from '../../entities/index.ts';

/**
 * True if the agent exists and is active; holds it for the transaction. Drafts of an inactive or deleted agent are void
 * (compatibility choices, Drafts).
 */
export async function holdActiveAgent(tx: Tx, orgId: string, agent: string): Promise<boolean> {
  const blueprint = await findBlueprint(tx, orgId, '_ai_agent');
  if (!blueprint) return false;
  const [entity] = await lockEntities(tx, orgId, blueprint.key, [agent]);
  // old agents may have no status; only `inactive` stops them
  return entity !== undefined && (entity.properties['status'] ?? 'active') === 'active';
}
