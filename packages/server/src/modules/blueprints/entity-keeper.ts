import type { Tx } from '../../platform/db/database.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import type { StoredBlueprint } from './blueprint.ts';
import type { KeyRename } from './follow-key.ts';

/** What blueprints need of the module that keeps their entities; `blueprint-changes` implements it, `app.ts` hands it in. */
export interface EntityKeeper {
  hasEntities(tx: Tx, blueprint: StoredBlueprint): Promise<boolean>;
  /** Whether some entity holds a value of the relation. */
  hasRelationValues(tx: Tx, blueprint: StoredBlueprint, relation: string): Promise<boolean>;
  /** Carries entities over a change of their blueprint: drops what left it, recomputes what is derived. */
  adapt(work: Work, before: StoredBlueprint, after: StoredBlueprint): Promise<void>;
  /** Drops what other entities say of a blueprint that goes: nobody moderates a later one of its name. */
  forget(work: Work, blueprint: StoredBlueprint): Promise<void>;
  /** Carries values, edges and scorecards over to the new key of a property, mirror or relation. */
  renameKey(work: Work, blueprint: StoredBlueprint, rename: KeyRename): Promise<void>;
}

/** What blueprints need of the module that keeps actions; `actions` implements it, `app.ts` hands it in. */
export interface ActionKeeper {
  /**
   * Lets the actions of a blueprint go before it goes itself. @throws AppError `has_dependents` naming them, unless they
   * may be deleted with it
   */
  leave(work: Work, blueprint: StoredBlueprint, mayDelete: boolean): Promise<void>;
}

/** Everything that lives by blueprints and must be asked or told when one changes or goes. */
export type BlueprintKeeper = EntityKeeper & ActionKeeper;

/** What blueprints need of the module that keeps pages; `pages` implements it, `app.ts` hands it in. */
export interface PageKeeper {
  addCatalogPage(work: Work, blueprint: StoredBlueprint): Promise<void>;
}
