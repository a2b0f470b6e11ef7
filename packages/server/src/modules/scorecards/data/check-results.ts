import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../../platform/actor.ts';
import { groupBy } from '../../../platform/collections.ts';
import type { Database, Reader } from '../../../platform/db/database.ts';
import type { UnitOfWork } from '../../../platform/unit-of-work.ts';
import { listBlueprintRows, resultTargets, type StoredBlueprint } from '../../blueprints/index.ts';
import { type ConsistencyReport, type Difference, lockFree } from '../../derived/index.ts';
import { findEntitiesByKey, listKeysAfter, type StoredEntity } from '../../entity-rows/index.ts';
import { countMarked, findResults, listMarkedEntities } from './rule-results.store.ts';
import { draftOfResult, nameOfResult, readWanted } from './rule-results.ts';

const batchSize = 200;

/**
 * Rebuilds the results of all evaluated entities without writing them, and reports differing, missing and superfluous
 * ones. A suspect is compared again under the entity's lock, and counts only if no recomputation is due on it.
 */
export async function checkResults(
  { database, unitOfWork }: { readonly database: Database; readonly unitOfWork: UnitOfWork },
  actor: Actor,
  now: Date,
): Promise<ConsistencyReport> {
  const { orgId } = actor;
  const all = await listBlueprintRows(database, orgId);
  const data = all.find(({ identifier }) => identifier === '_rule_result');
  const targets = new Set(data && Object.values(resultTargets(data)).map(({ target }) => target));
  const differences: Difference[] = [];
  let checked = 0;
  for (const blueprint of data ? all.filter(({ identifier }) => targets.has(identifier)) : []) {
    for (let after = 0; ; ) {
      const keys = await listKeysAfter(database, orgId, blueprint.key, { afterKey: after, limit: batchSize });
      if (keys.length === 0) break;
      after = keys.at(-1) as number;
      checked += keys.length;
      const entities = await findEntitiesByKey(database, orgId, keys);
      const suspects = await compare(database, data as StoredBlueprint, blueprint, entities, now);
      if (suspects.size === 0) continue;
      const found = await unitOfWork(actor, async ({ tx }) => {
        const free = await lockFree(tx, orgId, [...suspects.keys()]);
        const due = new Set(await listMarkedEntities(tx, orgId, [...suspects.keys()]));
        const settled = free.filter(({ key }) => !due.has(key));
        return compare(tx, data as StoredBlueprint, blueprint, settled, now);
      });
      differences.push(...[...found.values()].flat());
    }
  }
  return { checked, pending: await countMarked(database, orgId), differences };
}

/** Keyed by the evaluated entity. */
async function compare(
  reader: Reader,
  data: StoredBlueprint,
  blueprint: StoredBlueprint,
  entities: readonly StoredEntity[],
  now: Date,
): Promise<Map<number, Difference[]>> {
  const { orgId } = data;
  const found = new Map<number, Difference[]>();
  if (entities.length === 0) return found;
  const wantedOf = await readWanted(reader, data, [blueprint]);
  const from = { resultsKey: data.key, relations: Object.keys(resultTargets(data)) };
  const links = await findResults(
    reader,
    orgId,
    from,
    entities.map(({ key }) => key),
  );
  const keys = links.map(({ resultKey }) => resultKey);
  const stored = new Map((await findEntitiesByKey(reader, orgId, keys)).map((each) => [each.key, each]));
  const linksOf = groupBy(links, ({ entityKey }) => entityKey);
  for (const entity of entities) {
    const left = new Map(
      (linksOf.get(entity.key) ?? []).map(({ resultKey }) => [stored.get(resultKey)?.identifier ?? '', resultKey]),
    );
    const report = (name: string, property: string, was: unknown, computed: unknown): void => {
      const difference = { blueprint: data.identifier, entity: name, property, stored: was, computed };
      found.set(entity.key, [...(found.get(entity.key) ?? []), difference]);
    };
    for (const wanted of wantedOf(entity)) {
      const name = nameOfResult(entity.key, wanted.rule.key);
      const before = stored.get(left.get(name) ?? 0);
      left.delete(name);
      const draft = draftOfResult(wanted, before, now);
      if (!before) report(name, 'result', null, wanted.result);
      else {
        for (const part of ['title', 'properties', 'relations'] as const) {
          if (!isDeepStrictEqual(before[part], draft[part])) report(name, part, before[part], draft[part]);
        }
        if (!isDeepStrictEqual(before.teamRefs, entity.teamRefs))
          report(name, '$team', before.teamRefs, entity.teamRefs);
      }
    }
    for (const [name, key] of left) report(name, 'result', stored.get(key)?.properties['result'] ?? null, null);
  }
  return found;
}
