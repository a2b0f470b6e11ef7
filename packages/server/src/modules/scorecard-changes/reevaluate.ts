import { z } from 'zod';
import { systemActor } from '../../platform/actor.ts';
import type { Database } from '../../platform/db/database.ts';
import { defineJob, type JobDeclaration } from '../../platform/jobs/job.ts';
import type { UnitOfWork, Work } from '../../platform/unit-of-work.ts';
import { listBlueprintRows, type StoredBlueprint } from '../blueprints/index.ts';
import { listKeysAfter, lockEntitiesByKey } from '../entity-rows/index.ts';
import { evaluateAt, findScorecards, listDatedBlueprints } from '../scorecard-rules/index.ts';

/** Up to so many entities are evaluated with the change itself, more by a job. */
const fewMax = 500;
const batchSize = 500;

const declared = {
  name: 'catalog.evaluate-scorecards',
  input: z.object({ blueprintKey: z.number().int() }),
  attempts: 5,
  timeoutMs: 30 * 60_000,
  dedupeBy: ({ blueprintKey }: { blueprintKey: number }) => String(blueprintKey),
} as const;

/** What is enqueued; the job that runs is `scorecardJobs`'. */
const order = defineJob({ ...declared, run: () => Promise.reject(new Error('This declaration only enqueues')) });

/** Evaluates all entities of a blueprint anew: in this transaction if they are few, else by a job. */
export async function reevaluate(work: Work, blueprint: StoredBlueprint): Promise<void> {
  const { tx, actor } = work;
  const keys = await listKeysAfter(tx, actor.orgId, blueprint.key, { afterKey: 0, limit: fewMax + 1 });
  if (keys.length > fewMax) await work.enqueue(order, { blueprintKey: blueprint.key });
  else await evaluateKeys(work, blueprint, keys);
}

/** The same after a change of the blueprint itself, which matters only where it has scorecards. */
export async function reevaluateIfScored(work: Work, blueprint: StoredBlueprint): Promise<void> {
  const scorecards = await findScorecards(work.tx, work.actor.orgId, blueprint.key);
  if (scorecards.length > 0) await reevaluate(work, blueprint);
}

async function evaluateKeys(work: Work, blueprint: StoredBlueprint, keys: readonly number[]) {
  const entities = await lockEntitiesByKey(work.tx, work.actor.orgId, keys);
  await evaluateAt(work, blueprint, entities);
}

/** The jobs of scorecards: all entities of a blueprint after a change, and date ranges that moved with the clock. */
export function scorecardJobs({
  unitOfWork,
  database,
}: {
  readonly unitOfWork: UnitOfWork;
  readonly database: Database;
}): JobDeclaration[] {
  return [
    defineJob({
      ...declared,
      // harmless twice: what is found does not depend on what was found before
      run: ({ blueprintKey }, { orgId, signal }) => evaluateBlueprint(unitOfWork, orgId, blueprintKey, signal),
    }),
    defineJob({
      name: 'catalog.follow-dated-scorecards',
      input: z.object({}),
      attempts: 3,
      timeoutMs: 60_000,
      everyMs: 60 * 60_000,
      // harmless twice: it only enqueues, and waiting jobs of one blueprint become one
      run: async (_input, { each }) => {
        await each(await listDatedBlueprints(database), ({ orgId, blueprintKey }) =>
          unitOfWork(systemActor(orgId), (work) => work.enqueue(order, { blueprintKey })),
        );
      },
    }),
  ];
}

/** In batches by key, each in a transaction of its own, so that writers wait for no more than one batch. */
async function evaluateBlueprint(
  unitOfWork: UnitOfWork,
  orgId: string,
  blueprintKey: number,
  signal: AbortSignal,
): Promise<void> {
  let after: number | undefined = 0;
  while (after !== undefined) {
    signal.throwIfAborted();
    const from: number = after;
    after = await unitOfWork(systemActor(orgId), async (work) => {
      const blueprint = (await listBlueprintRows(work.tx, orgId)).find(({ key }) => key === blueprintKey);
      const keys = blueprint
        ? await listKeysAfter(work.tx, orgId, blueprintKey, { afterKey: from, limit: batchSize })
        : [];
      if (blueprint) await evaluateKeys(work, blueprint, keys);
      return keys.at(-1);
    });
  }
}
