import { z } from 'zod';
import { systemActor } from '../../../platform/actor.ts';
import { defineJob, type JobDeclaration } from '../../../platform/jobs/job.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { blueprintProperties, findBlueprint, type StoredBlueprint } from '../../blueprints/index.ts';
import { findOrganization } from '../../organizations/index.ts';
import type { CatalogDeps } from '../entities.deps.ts';
import { recordExpiry } from '../record-entity.ts';
import { findDue, finishSweep, holdSweep, listTimedBlueprints, noteExpired } from './timer.store.ts';

const minuteMs = 60_000;
/** Each sweep looks back this far: a transaction open during the last one may have written a value since. */
const overlapMs = 5 * minuteMs;
const rememberedMs = 60 * minuteMs;
const batchSize = 200;

/** Records every minute which timers have passed (catalog semantics §1.11). */
export function timerJobs({ database, unitOfWork }: CatalogDeps): JobDeclaration[] {
  return [
    defineJob({
      name: 'catalog.expire-timers',
      input: z.object({}),
      attempts: 3,
      timeoutMs: 10 * minuteMs,
      everyMs: minuteMs,
      // harmless twice: recorded values are remembered in the same transaction, and sweeps of a blueprint are
      // serialized
      run: async (_input, { each }) => {
        await each(await listTimedBlueprints(database), async ({ orgId, identifier }, signal) => {
          const organization = await findOrganization(database, orgId);
          if (!organization) return;
          for (let isDone = false; !isDone; ) {
            signal.throwIfAborted();
            isDone = await unitOfWork(systemActor(orgId, organization.model), (work) => sweep(work, identifier));
          }
        });
      },
    }),
  ];
}

/**
 * Records timers of a blueprint that passed since the last sweep; true if none is left. A value in the past when
 * written never passes.
 */
async function sweep(work: Work, identifier: string): Promise<boolean> {
  const { tx, actor, now } = work;
  const blueprint = await findBlueprint(tx, actor.orgId, identifier);
  if (!blueprint) return true;
  const sweptUntil = await holdSweep(tx, actor.orgId, blueprint.key, blueprint.createdAt);
  const from = new Date(Math.max(sweptUntil.getTime() - overlapMs, blueprint.createdAt.getTime()));
  let noted = 0;
  for (const property of listTimers(blueprint)) {
    const due = { blueprintKey: blueprint.key, property, from, until: now };
    const entities = await findDue(tx, actor.orgId, due, batchSize - noted);
    await noteExpired(tx, actor.orgId, due, entities);
    for (const entity of entities) recordExpiry(work, blueprint, property, entity);
    noted += entities.length;
    if (noted === batchSize) return false;
  }
  const forgetBefore = new Date(now.getTime() - rememberedMs);
  await finishSweep(tx, actor.orgId, blueprint.key, { until: now, forgetBefore });
  return true;
}

function listTimers(blueprint: StoredBlueprint): string[] {
  return Object.entries(blueprintProperties(blueprint)).flatMap(([key, { format }]) =>
    format === 'timer' ? [key] : [],
  );
}
