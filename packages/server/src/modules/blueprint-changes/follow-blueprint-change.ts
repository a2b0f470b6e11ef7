import type { Tx } from '../../platform/db/database.ts';
import {
  blueprintProperties,
  blueprintRelations,
  type EntityListener,
  removeResultTarget,
  type StoredBlueprint,
} from '../blueprints/index.ts';
import { followBlueprint } from '../derived/index.ts';
import { followModerators, removeModerators } from '../people-sync/index.ts';
import { reevaluateIfScored } from '../scorecard-changes/index.ts';
import { dropOwnValues, dropScorecardRows } from '../scorecard-rules/index.ts';
import { reflectScorecards } from '../scorecards/index.ts';
import { scheduleIndexMaintenance } from '../search/index.ts';
import { dropPropertyValues, dropRelationValues, hasEntities, hasRelationValues } from './entity-values.store.ts';
import { renameEntityKey } from './rename-key.ts';

/** The catalog's part when a blueprint changes or goes. */
export function createEntityListener(): EntityListener {
  const listener: EntityListener = {
    hasEntities,
    hasRelationValues,
    adapt: async (work, before, after) => {
      const { tx } = work;
      await dropProperties(tx, before, after);
      await dropRelations(tx, before, after);
      if (before.identifier !== after.identifier) {
        await followModerators(tx, before.identifier, after);
        await reflectScorecards(work, after);
      }
      // what only the derived values change, they evaluate themselves
      await reevaluateIfScored(work, after);
      await followBlueprint(work, before);
      await scheduleIndexMaintenance(work, after);
    },
    renameKey: async (work, blueprint, rename) => {
      await renameEntityKey(work, blueprint, rename);
      await scheduleIndexMaintenance(work, blueprint);
    },
    forget: async (work, blueprint) => {
      await removeModerators(work.tx, blueprint);
      await dropScorecardRows(work.tx, blueprint.orgId, blueprint.key);
      await reflectScorecards(work, blueprint);
      await removeResultTarget(listener, work, blueprint);
    },
  };
  return listener;
}

/** Values of a property that was removed are gone: adding it again starts empty (Terraform changes types this way). */
async function dropProperties(tx: Tx, before: StoredBlueprint, after: StoredBlueprint): Promise<void> {
  const gone = Object.keys(blueprintProperties(before)).filter(
    (key) => !Object.hasOwn(blueprintProperties(after), key),
  );
  if (gone.length === 0) return;
  await dropPropertyValues(tx, after, gone);
  if (after.identifier === '_scorecard') await dropOwnValues(tx, after.orgId, gone);
}

async function dropRelations(tx: Tx, before: StoredBlueprint, after: StoredBlueprint): Promise<void> {
  const gone = Object.keys(blueprintRelations(before)).filter((key) => !Object.hasOwn(blueprintRelations(after), key));
  if (gone.length === 0) return;
  await dropRelationValues(tx, after, gone);
}
