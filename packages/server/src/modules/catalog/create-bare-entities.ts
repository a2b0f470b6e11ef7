import { groupBy } from '../../platform/collections.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { findBlueprint } from '../blueprints/index.ts';
import { authorise } from '../identity/index.ts';
import type { CatalogDeps } from './catalog.deps.ts';
import { insertEntities } from './entity.store.ts';
import { entityMissing } from './errors.ts';
import { recordEntity } from './record-entity.ts';
import { holdTargets, type TargetRow } from './relation.store.ts';

/**
 * Creates the entities that relations point at and that are not there: an identifier, the same as title, and nothing
 * else, even where properties are required (catalog semantics §1.8). Never in system blueprints.
 * @throws AppError `not_found`, `missing_permissions`
 */
export async function createBareEntities(
  _deps: CatalogDeps,
  work: Work,
  wanted: readonly { readonly blueprint: string; readonly identifier: string }[],
  validationOnly: boolean,
): Promise<TargetRow[]> {
  const { tx, actor, now } = work;
  const created: TargetRow[] = [];
  for (const [name, group] of groupBy(wanted, ({ blueprint }) => blueprint)) {
    const blueprint = await findBlueprint(tx, actor.orgId, name);
    if (!blueprint || blueprint.isSystem) throw entityMissing({ identifier: name }, group[0]?.identifier ?? '');
    authorise(actor, 'register', blueprint);
    const identifiers = [...new Set(group.map(({ identifier }) => identifier))].sort();
    if (validationOnly) {
      created.push(
        ...identifiers.map((identifier) => ({ blueprint: name, blueprintKey: blueprint.key, identifier, key: 0 })),
      );
      continue;
    }
    const writing = {
      orgId: actor.orgId,
      blueprintKey: blueprint.key,
      at: now,
      by: actor.id,
      datasource: actor.datasource,
    };
    const rows = await insertEntities(tx, writing, identifiers.map(bareRow));
    for (const entity of rows) recordEntity(work, blueprint, undefined, entity);
    created.push(...(await holdTargets(tx, actor.orgId, group)));
  }
  return created;
}

function bareRow(identifier: string) {
  return {
    key: null,
    identifier,
    title: identifier,
    icon: null,
    properties: {},
    relations: {},
    derived: {},
    ownTeamRefs: [],
    teamRefs: [],
  };
}
