import { setTimeout as delay } from 'node:timers/promises';
import { type Actor, systemActor } from '../../../platform/actor.ts';
import { groupBy } from '../../../platform/collections.ts';
import { createJsonTexts } from '../../../platform/db/json.ts';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import type { UnitOfWork, Work } from '../../../platform/unit-of-work.ts';
import type { ResolvedWrite } from '../../access/index.ts';
import { holdBlueprint, listBlueprintRows, resultTargets, type StoredBlueprint } from '../../blueprints/index.ts';
import { type CatalogDeps, removeEntities, storeEntities } from '../../entities/index.ts';
import { holdTargets, lockEntitiesByKey, type StoredEntity } from '../../entity-rows/index.ts';
import { findOrganization } from '../../organizations/index.ts';
import { resultsDeclared, resultsRequest } from '../../scorecard-rules/index.ts';
import { findResults, listMarked, removeMarked } from './rule-results.store.ts';
import { draftOfResult, isAsWanted, readWanted, type WantedResult } from './rule-results.ts';

/** Entities per transaction: bounds how long a writer of one of them waits. */
const entitiesMax = 50;
const runMs = 60_000;
const waitMs = 25;

/** Writes the results of marked entities. */
export function ruleResultJobs({
  database,
  unitOfWork,
}: Pick<CatalogDeps, 'database' | 'unitOfWork'>): JobDeclaration[] {
  return [
    defineJob({
      ...resultsDeclared,
      // harmless twice: results are computed from stored rows, and a mark is deleted with the write it asked for
      run: async (_input, { orgId, signal }) => {
        const organization = await findOrganization(database, orgId);
        if (!organization) return;
        await refreshAll(unitOfWork, systemActor(orgId, organization.model), signal);
      },
    }),
  ];
}

async function refreshAll(unitOfWork: UnitOfWork, actor: Actor, signal: AbortSignal): Promise<void> {
  const until = performance.now() + runMs;
  for (let from = 0; performance.now() < until; ) {
    signal.throwIfAborted();
    const next = await unitOfWork(actor, (work) => refreshResults(work, from));
    if (next === undefined && from === 0) return;
    // one more round for entities marked meanwhile
    if (next === undefined) await delay(waitMs);
    from = next ?? 0;
  }
  await unitOfWork(actor, (work) => work.enqueue(resultsRequest, {}));
}

/**
 * Writes the results of the next marked entities and returns where to continue. Entities are locked before their
 * findings are read, and marks are deleted in the same transaction: a later evaluation marks them anew, so every
 * result is right or marked.
 */
async function refreshResults(work: Work, after: number): Promise<number | undefined> {
  const { tx, actor } = work;
  const { orgId } = actor;
  const keys = await listMarked(tx, orgId, after, entitiesMax);
  if (keys.length === 0) return undefined;
  const data = await holdBlueprint(tx, orgId, '_rule_result');
  const entities = await lockEntitiesByKey(tx, orgId, keys);
  await removeMarked(tx, orgId, keys);
  if (data) await writeResults(work, data, entities);
  return keys.at(-1);
}

async function writeResults(work: Work, data: StoredBlueprint, entities: readonly StoredEntity[]): Promise<void> {
  const { tx, actor, now } = work;
  const { orgId } = actor;
  const evaluated = new Set(entities.map(({ blueprintKey }) => blueprintKey));
  const blueprints = (await listBlueprintRows(tx, orgId)).filter(({ key }) => evaluated.has(key));
  const wantedOf = await readWanted(tx, data, blueprints);
  const from = { resultsKey: data.key, relations: Object.keys(resultTargets(data)) };
  const entityKeys = entities.map(({ key }) => key);
  const links = await findResults(tx, orgId, from, entityKeys);
  const stored = new Map(
    (await lockEntitiesByKey(tx, orgId, [...new Set(links.map(({ resultKey }) => resultKey))])).map((each) => [
      each.key,
      each,
    ]),
  );
  const linksOf = groupBy(links, ({ entityKey }) => entityKey);
  const writing: { wanted: WantedResult; before: StoredEntity | undefined }[] = [];
  const going: StoredEntity[] = [];
  for (const entity of entities) {
    const its = linksOf.get(entity.key) ?? [];
    const left = new Map(
      its.flatMap(({ ruleKey, resultKey }) => (ruleKey === null ? [] : [[ruleKey, resultKey] as const])),
    );
    // deleted rules may have left several
    going.push(...its.flatMap(({ ruleKey, resultKey }) => (ruleKey === null ? (stored.get(resultKey) ?? []) : [])));
    for (const wanted of wantedOf(entity)) {
      const resultKey = left.get(wanted.rule.key);
      const before = resultKey === undefined ? undefined : stored.get(resultKey);
      left.delete(wanted.rule.key);
      if (!before || !isAsWanted(before, wanted, now)) writing.push({ wanted, before });
    }
    going.push(...[...left.values()].flatMap((key) => stored.get(key) ?? []));
  }
  // rules are locked before anything is derived: deleting one may wait for this lock
  const linked = writing.length > 0 ? await linkResults(work, writing) : [];
  await removeEntities(work, going);
  if (linked.length > 0) await storeEntities(work, data, linked, createJsonTexts());
}

async function linkResults(
  { tx, actor, now }: Work,
  writing: readonly { readonly wanted: WantedResult; readonly before: StoredEntity | undefined }[],
): Promise<ResolvedWrite[]> {
  const rules = [...new Set(writing.map(({ wanted }) => wanted.rule.identifier))];
  const held = await holdTargets(
    tx,
    actor.orgId,
    rules.map((identifier) => ({ blueprint: '_rule', identifier })),
  );
  const ruleByKey = new Map(held.map((target) => [target.key, target]));
  return writing.flatMap(({ wanted, before }, index): ResolvedWrite[] => {
    const { entity, blueprint, relation, rule } = wanted;
    const target = ruleByKey.get(rule.key);
    // being deleted; the deletion marks the entities
    if (!target) return [];
    const links = [
      { relation: 'rule', position: 0, target },
      {
        relation,
        position: 0,
        target: { blueprint, blueprintKey: entity.blueprintKey, identifier: entity.identifier, key: entity.key },
      },
    ];
    const draft = draftOfResult(wanted, before, now);
    return [{ index, draft, before, warnings: [], links, ownTeamRefs: entity.teamRefs }];
  });
}
