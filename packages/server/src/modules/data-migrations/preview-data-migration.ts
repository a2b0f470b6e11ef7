import type { DataMigrationMapping, DataMigrationPreview } from '@portolan/contract/data-migrations';
import type { Entity } from '@portolan/contract/entities';
import type { Actor } from '../../platform/actor.ts';
import { rehearse } from '../../platform/rehearse.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { teamNames } from '../accounts/index.ts';
import { type CatalogDeps, presentEntities } from '../entities/index.ts';
import { ofBlueprint, toSql, transactionReader, withKeys } from '../entity-query/index.ts';
import { countEntityRows, type ReadEntity, type StoredEntity, selectEntities, teamForm } from '../entity-rows/index.ts';
import { type CheckedMapping, checkMapping } from './check-mapping.ts';
import type { EntityFailure, WrittenEntity } from './data-migration-outcomes.store.ts';
import { type MappedPart, mapEntities } from './map-entities.ts';

/** Bounds of a preview: differences shown, entities mapped, entities scanned. */
const diffsMax = 20;
const errorsMax = 100;
const triedMax = 1_000;
const examinedMax = 10_000;

type Diff = DataMigrationPreview['diffs'][number];

interface PreviewedPart {
  readonly mapped: MappedPart;
  readonly diffs: readonly Diff[];
  readonly total: number;
}

/**
 * Runs the migration's own work part by part and rolls each part back: no write, no event.
 * @throws AppError as `checkMapping`
 */
export async function previewDataMigration(
  deps: CatalogDeps,
  actor: Actor,
  identifier: string,
  mapping: DataMigrationMapping,
): Promise<DataMigrationPreview> {
  const diffs: Diff[] = [];
  const failures: EntityFailure[] = [];
  const counts = { examined: 0, filtered: 0, created: 0, updated: 0, unchanged: 0, failed: 0 };
  let total = 0;
  let isWhole = false;
  for (let afterKey = 0; !isWhole && counts.examined < examinedMax; ) {
    const part = await rehearse(deps.unitOfWork, actor, async (work): Promise<PreviewedPart> => {
      const blueprints = await checkMapping(work, identifier, mapping);
      const mapped = await mapEntities(deps, work, mapping, blueprints, toSql(true), afterKey);
      const wanted = mapped.written.slice(0, diffsMax - diffs.length);
      return {
        mapped,
        diffs: await buildDiffs(work, blueprints, wanted),
        total: afterKey === 0 ? await countEntityRows(work.tx, actor.orgId, ofBlueprint(blueprints.source.key)) : total,
      };
    });
    const { mapped } = part;
    total = part.total;
    diffs.push(...part.diffs);
    failures.push(...mapped.failures.slice(0, errorsMax - failures.length));
    counts.examined += mapped.examined;
    counts.filtered += mapped.filtered;
    counts.unchanged += mapped.unchanged;
    counts.failed += mapped.failures.length;
    const created = mapped.written.filter(({ before }) => !before).length;
    counts.created += created;
    counts.updated += mapped.written.length - created;
    isWhole = mapped.isLast;
    if (counts.examined - counts.filtered >= triedMax || mapped.lastKey === undefined) break;
    afterKey = mapped.lastKey;
  }
  return {
    totalCount: total,
    examinedCount: counts.examined,
    isWhole,
    filteredCount: counts.filtered,
    createCount: counts.created,
    updateCount: counts.updated,
    unchangedCount: counts.unchanged,
    failureCount: counts.failed,
    diffs,
    errors: failures.map(presentFailure),
  };
}

export function presentFailure({
  identifier,
  code,
  message,
  details,
}: EntityFailure): DataMigrationPreview['errors'][number] {
  return {
    identifier,
    error: code,
    message,
    ...(details ? { details: details as DataMigrationPreview['errors'][number]['details'] } : {}),
  };
}

async function buildDiffs(work: Work, { target }: CheckedMapping, written: readonly WrittenEntity[]): Promise<Diff[]> {
  const { tx, actor } = work;
  if (written.length === 0) return [];
  const keys = written.map(({ after }) => after.key);
  const form = teamForm(actor.model);
  const rows = await selectEntities(tx, actor.orgId, withKeys(keys), {}, form);
  const after = await presentPreview(work, target, rows);
  const before = await presentPreview(work, target, await withTeams(work, written));
  return written.map(({ after: { key, identifier }, before: old }) => ({
    identifier,
    change: old ? 'UPDATE' : 'CREATE',
    before: before.get(key) ?? null,
    after: after.get(key) as Diff['after'],
  }));
}

async function presentPreview(work: Work, target: CheckedMapping['target'], entities: readonly ReadEntity[]) {
  const presented = (await presentEntities(transactionReader(work), work.actor, target, entities)) as Entity[];
  return new Map(entities.map(({ key }, index) => [key, presented[index] as Entity]));
}

async function withTeams({ tx, actor }: Work, written: readonly WrittenEntity[]): Promise<ReadEntity[]> {
  const before = written.flatMap((each): StoredEntity[] => (each.before ? [each.before] : []));
  const references = before.flatMap(({ teamRefs }) => teamRefs);
  const names = await teamNames(tx, actor.orgId, actor.model, references);
  return before.map((entity) => ({ ...entity, team: entity.teamRefs.flatMap((each) => names.get(each) ?? []) }));
}
