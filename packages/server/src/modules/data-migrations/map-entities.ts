import type { DataMigrationMapping } from '@portolan/contract/data-migrations';
import type { JqValue } from '@portolan/jq';
import type { Sql } from 'sql-template-tag';
import { invalidRequest, notFound } from '../../platform/errors.ts';
import { carrying, outside } from '../../platform/text-authors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { type EntityWrite, readCondition } from '../access/index.ts';
import { teamResolver } from '../accounts/index.ts';
import { holdBlueprint, listBlueprintRows, type StoredBlueprint } from '../blueprints/index.ts';
import { type CatalogDeps, presentEntities, writeEntities } from '../entities/index.ts';
import { ofBlueprint, transactionReader, withKeys } from '../entity-query/index.ts';
import { allOf, type ReadEntity, selectEntities, teamForm } from '../entity-rows/index.ts';
import { mapItems, readTargetName } from './apply-mapping.ts';
import { assertOwnership, type CheckedMapping } from './check-mapping.ts';
import type { Progress } from './data-migration.store.ts';
import type { StoredDataMigration } from './data-migration.ts';
import { type EntityFailure, insertFailures, keepImages, type WrittenEntity } from './data-migration-outcomes.store.ts';
import { entityFailure } from './entity-failure.ts';
import { migrationScope } from './migration-scope.sql.ts';
import { lockNextKeys } from './next-entities.store.ts';

/** Source entities per transaction, and the number of entities after which it takes no further one. */
const partSize = 200;
const itemsPerPart = 1_000;

/**
 * Maps the next entities and merges the results into the target. A source entity counts once: as failed if any of its
 * items is refused; a refused item does not affect the others.
 */
export async function mapPart(deps: CatalogDeps, work: Work, migration: StoredDataMigration): Promise<Progress> {
  const { tx, actor } = work;
  const mapping = migration.mapping as DataMigrationMapping;
  const source = (await listBlueprintRows(tx, actor.orgId)).find(({ key }) => key === migration.blueprintKey);
  if (!source) throw notFound('Blueprint', migration.sourceBlueprint);
  const name = readTargetName(mapping, source.identifier);
  const target = await holdBlueprint(tx, actor.orgId, name);
  if (!target) throw notFound('Blueprint', name);
  assertOwnership(actor, mapping, target);
  const scope = await migrationScope(tx, migration);
  const mapped = await mapEntities(deps, work, mapping, { source, target }, scope, migration.lastKey);
  await insertFailures(tx, migration, mapped.failures);
  await keepImages(tx, migration, mapped.written);
  return {
    succeeded: mapped.examined - mapped.failures.length,
    failed: mapped.failures.length,
    lastKey: mapped.lastKey,
    message: mapped.failures.map(({ identifier, message }) => `${identifier}: ${message}`.slice(0, 1000)).at(-1),
    ...(mapped.isLast ? { status: 'COMPLETED' } : {}),
  };
}

export interface MappedPart {
  readonly examined: number;
  /** Source entities whose items the filter all rejected. */
  readonly filtered: number;
  readonly unchanged: number;
  /** Each target entity once. */
  readonly written: readonly WrittenEntity[];
  /** Each source entity once. */
  readonly failures: readonly EntityFailure[];
  readonly lastKey: number | undefined;
  readonly isLast: boolean;
}

interface MappedItem {
  readonly source: ReadEntity;
  readonly item: EntityWrite;
}

/**
 * Maps the entities after `afterKey` that are in scope and readable. They are locked before they are read: a
 * concurrent write is either seen or comes later, and is never overwritten.
 */
export async function mapEntities(
  deps: CatalogDeps,
  work: Work,
  mapping: DataMigrationMapping,
  { source, target }: CheckedMapping,
  scope: Sql,
  afterKey: number,
): Promise<MappedPart> {
  const { tx, actor } = work;
  const keys = await lockNext(work, source, scope, afterKey);
  const page = await selectEntities(tx, actor.orgId, withKeys(keys), {}, teamForm(actor.model));
  const shown = await presentEntities(transactionReader(work), actor, source, page);
  const failures = new Map<number, EntityFailure>();
  const made: MappedItem[] = [];
  let examined = 0;
  let filtered = 0;
  for (const entity of page) {
    if (made.length >= itemsPerPart) break;
    try {
      const items = mapItems(mapping, shown[examined] as unknown as JqValue, work.now);
      if (items.length === 0) filtered += 1;
      made.push(...items.map((item) => ({ source: entity, item })));
    } catch (error) {
      failures.set(entity.key, entityFailure(entity, error));
    }
    examined += 1;
  }
  const known = await withKnownTeams(work, { source, target }, made, failures);
  const options = { mode: 'merge', expects: 'either', createMissingRelated: false } as const;
  const outcomes = await writeEntities(
    deps,
    // texts move from one entity to another
    { ...work, actor: carrying(actor, [outside]) },
    target,
    known.map(({ item }) => item),
    options,
  );
  const written = new Map<number, WrittenEntity>();
  let unchanged = 0;
  outcomes.forEach((outcome, index) => {
    const from = (known[index] as MappedItem).source;
    if ('error' in outcome) {
      if (!failures.has(from.key)) failures.set(from.key, entityFailure(from, outcome.error));
    } else if (outcome.before === outcome.entity) unchanged += 1;
    else written.set(outcome.entity.key, { sourceKey: from.key, before: outcome.before, after: outcome.entity });
  });
  return {
    examined,
    filtered,
    unchanged,
    written: [...written.values()],
    failures: [...failures.values()],
    lastKey: page[examined - 1]?.key,
    isLast: examined === page.length && keys.length < partSize,
  };
}

async function lockNext(work: Work, source: StoredBlueprint, scope: Sql, afterKey: number): Promise<number[]> {
  const { tx, actor } = work;
  const readable = await readCondition(transactionReader(work), actor, source);
  const condition = allOf([ofBlueprint(source.key), scope, readable]);
  return lockNextKeys(tx, actor.orgId, condition, { afterKey, limit: partSize });
}

/** Refuses items with an unknown team, unless their source and target entity has that name already. */
async function withKnownTeams(
  { tx, actor }: Work,
  { source, target }: CheckedMapping,
  made: readonly MappedItem[],
  failures: Map<number, EntityFailure>,
): Promise<readonly MappedItem[]> {
  const namesOf = ({ item }: MappedItem): readonly string[] => {
    const { team } = item.body;
    return typeof team === 'string' ? [team] : (team ?? []);
  };
  const names = made.flatMap(namesOf);
  if (names.length === 0) return made;
  const resolve = await teamResolver(tx, actor.orgId, actor.model, names);
  return made.filter((each) => {
    const isSame = source.key === target.key && each.source.identifier === each.item.target;
    const kept = isSame ? each.source.team : [];
    try {
      const unknown = resolve(namesOf(each), '/team').unresolved.filter((name) => !kept.includes(name));
      const issues = unknown.map((name) => ({ path: '/team', message: `"${name}" is not a team` }));
      if (issues.length > 0) throw invalidRequest(issues, 'The mapped entity');
      return true;
    } catch (error) {
      failures.set(each.source.key, entityFailure(each.source, error));
      return false;
    }
  });
}
