import type { Tx } from '../../platform/db/database.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import type { StoredBlueprint } from './blueprint.ts';

/** What blueprints need of the module that keeps their entities; `catalog` implements it, `app.ts` hands it in. */
export interface EntityKeeper {
  hasEntities(tx: Tx, blueprint: StoredBlueprint): Promise<boolean>;
  /** Whether some entity holds a value of the relation. */
  hasRelationValues(tx: Tx, blueprint: StoredBlueprint, relation: string): Promise<boolean>;
  /** Carries entities over a change of their blueprint: drops what left it, recomputes what is derived. */
  adapt(work: Work, before: StoredBlueprint, after: StoredBlueprint): Promise<void>;
}
