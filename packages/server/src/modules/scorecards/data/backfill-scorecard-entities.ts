import { z } from 'zod';
import { systemActor } from '../../../platform/actor.ts';
import { inBatches } from '../../../platform/jobs/each-record.ts';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import {
  addResultTarget,
  type BlueprintListener,
  insertChecked,
  listBlueprintRows,
  listWithoutScorecardData,
  lockBlueprint,
  scorecardBlueprints,
} from '../../blueprints/index.ts';
import type { CatalogDeps } from '../../entities/index.ts';
import { findOrganization } from '../../organizations/index.ts';
import { listScorecardRows, resultsRequest } from '../../scorecard-rules/index.ts';
import { markEvaluated } from './rule-results.store.ts';
import { reflectScorecards } from './sync-scorecard-entities.ts';

const batchSize = 100;

/**
 * Creates blueprints and entities of scorecards, rules and results for organizations that predate scorecards as data.
 */
export function backfillScorecardEntities({
  database,
  unitOfWork,
  listener,
}: Pick<CatalogDeps, 'database' | 'unitOfWork' | 'listener'>): JobDeclaration {
  return defineJob({
    name: 'catalog.furnish-scorecard-data',
    input: z.object({}),
    attempts: 3,
    timeoutMs: 10 * 60_000,
    everyMs: 60_000,
    // harmless twice: organizations with the blueprints are not listed, and each gets everything in one transaction
    run: async (_input, { each }) => {
      const without = inBatches(batchSize, (last: { readonly orgId: string } | undefined, limit) =>
        listWithoutScorecardData(database, last?.orgId ?? '', limit),
      );
      await each(without, async ({ orgId }) => {
        const organization = await findOrganization(database, orgId);
        if (organization) await unitOfWork(systemActor(orgId, organization.model), (work) => backfill(listener, work));
      });
    },
  });
}

async function backfill(listener: BlueprintListener, work: Work): Promise<void> {
  const { tx, actor } = work;
  const { orgId } = actor;
  // another process was faster
  if (await lockBlueprint(tx, orgId, '_rule_result')) return;
  for (const body of scorecardBlueprints) await insertChecked(work, body, true);
  const scored = new Set((await listScorecardRows(tx, orgId)).map(({ blueprintKey }) => blueprintKey));
  let due = 0;
  for (const { key, identifier } of await listBlueprintRows(tx, orgId)) {
    const blueprint = scored.has(key) ? await lockBlueprint(tx, orgId, identifier) : undefined;
    if (!blueprint) continue;
    await reflectScorecards(work, blueprint);
    due += await markEvaluated(tx, orgId, key);
    await addResultTarget(listener, work, blueprint);
  }
  if (due > 0) await work.enqueue(resultsRequest, {});
}
