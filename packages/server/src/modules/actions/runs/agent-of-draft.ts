import type { Tx } from '../../../platform/db/database.ts';
import { findBlueprint } from '../../blueprints/index.ts';
import { lockEntities } from '../../entities/index.ts';

/**
 * Whether the agent that proposed something is there and active; it stays so until the transaction ends. What an agent
 * proposed is void once it is switched off or deleted (compatibility choices, Drafts).
 */
export async function holdActiveAgent(tx: Tx, orgId: string, agent: string): Promise<boolean> {
  const blueprint = await findBlueprint(tx, orgId, '_ai_agent');
  if (!blueprint) return false;
  const [entity] = await lockEntities(tx, orgId, blueprint.key, [agent]);
  // agents of before the cutover may have no status, and only `inactive` stops them
  return entity !== undefined && (entity.properties['status'] ?? 'active') === 'active';
}
