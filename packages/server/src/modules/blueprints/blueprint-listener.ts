import type { Reader, Tx } from '../../platform/db/database.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import type { StoredBlueprint } from './blueprint.ts';
import type { KeyRename } from './follow-key.ts';

/** What blueprints need of their entities; `blueprint-changes` implements it, `app.ts` hands it in. */
export interface EntityListener {
  hasEntities(tx: Tx, blueprint: StoredBlueprint): Promise<boolean>;
  /** Whether any entity has a value of the relation. */
  hasRelationValues(reader: Reader, blueprint: StoredBlueprint, relation: string): Promise<boolean>;
  /** Follows a change of the blueprint: drops removed values and recomputes derived ones. */
  adapt(work: Work, before: StoredBlueprint, after: StoredBlueprint): Promise<void>;
  /** Removes mentions of a deleted blueprint from entities: nobody moderates a later one of that name. */
  forget(work: Work, blueprint: StoredBlueprint): Promise<void>;
  /** Moves values, edges and scorecards to the new key of a property, mirror or relation. */
  renameKey(work: Work, blueprint: StoredBlueprint, rename: KeyRename): Promise<void>;
}

/** What blueprints need of actions, which implements it; `app.ts` hands it in. */
export interface ActionListener {
  /**
   * Handles a blueprint's actions before its deletion.
   * @throws AppError `has_dependents` naming them, unless they may be deleted with it
   */
  leave(work: Work, blueprint: StoredBlueprint, mayDelete: boolean): Promise<void>;
}

/** Everything that lives by blueprints and must be asked or told when one changes or goes. */
export type BlueprintListener = EntityListener & ActionListener;

/** What blueprints need of the module that keeps pages; `pages` implements it, `app.ts` hands it in. */
export interface PageListener {
  addCatalogPage(work: Work, blueprint: StoredBlueprint): Promise<void>;
}
