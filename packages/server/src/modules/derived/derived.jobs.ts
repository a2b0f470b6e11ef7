import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type Actor, systemActor } from '../../platform/actor.ts';
import type { Database } from '../../platform/db/database.ts';
import { inBatches } from '../../platform/jobs/each-record.ts';
import { defineJob, type JobDeclaration } from '../../platform/jobs/job.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import { findOrganization, listOrganizationRows } from '../organizations/index.ts';
import { holdPlans, keysOfBlueprint, lockGroup, markSelected } from './derived.store.ts';
import { loadPlans } from './load-plans.ts';
import { refreshMarked } from './refresh-marked.ts';
import { refreshDeclared, refreshRequest } from './refresh-request.ts';

export interface DerivedJobsDeps {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
}

/** Length of one run before the next takes over, and pause for rows that others are writing. */
const runMs = 60_000;
const waitMs = 25;

type Owned = Pick<Actor, 'orgId' | 'model'>;

/** Computes marked values, and those that depend on the clock. */
export function derivedJobs({ database, unitOfWork }: DerivedJobsDeps): JobDeclaration[] {
  return [
    defineJob({
      ...refreshDeclared,
      // harmless twice: values are computed from stored sources, and a mark is removed with its value
      run: async (_input, { orgId, signal }) => {
        const organization = await findOrganization(database, orgId);
        if (!organization) return;
        await refreshAll(unitOfWork, systemActor(orgId, organization.model), signal);
      },
    }),
    defineJob({
      name: 'catalog.follow-clock',
      input: z.object({}),
      attempts: 3,
      timeoutMs: 10 * 60_000,
      // the specification's own pace (catalog semantics §1.7)
      everyMs: 15 * 60_000,
      // harmless twice: it only marks
      run: async (_input, { each }) => {
        const organizations = inBatches(100, async (last: Owned | undefined, limit) => {
          const rows = await listOrganizationRows(database, last?.orgId ?? '', limit);
          return rows.map(({ id, model }) => ({ orgId: id, model }));
        });
        await each(organizations, ({ orgId, model }) => markTimed(unitOfWork, systemActor(orgId, model)));
      },
    }),
  ];
}

async function refreshAll(unitOfWork: UnitOfWork, actor: Actor, signal: AbortSignal): Promise<void> {
  const until = performance.now() + runMs;
  let from = 0;
  let left = 0;
  while (performance.now() < until) {
    signal.throwIfAborted();
    const batch = await unitOfWork(actor, (work) => refreshMarked(work, from));
    left += batch.left;
    if (batch.next !== undefined) {
      from = batch.next;
    } else if (from === 0) {
      return;
    } else {
      // another round for locked rows and new marks
      if (left > 0) await delay(waitMs);
      from = 0;
      left = 0;
    }
  }
  await unitOfWork(actor, (work) => work.enqueue(refreshRequest, {}));
}

/** Marks everything in an organization that depends on the clock. */
async function markTimed(unitOfWork: UnitOfWork, actor: Actor): Promise<void> {
  const { orgId } = actor;
  await unitOfWork(actor, async (work) => {
    holdPlans(work.tx, orgId);
    const plans = await loadPlans(work.tx, orgId);
    const timed = [...plans.nodes.values()].filter(({ isTimed }) => isTimed);
    const groups = [...new Set(timed.map(({ blueprint }) => plans.groupOf(blueprint.key)))].sort((a, b) => a - b);
    for (const group of groups) lockGroup(work.tx, orgId, group);
    for (const { blueprint, key } of timed) {
      await markSelected(work.tx, orgId, blueprint.key, keysOfBlueprint(orgId, blueprint.key), [key]);
    }
    if (timed.length > 0) await work.enqueue(refreshRequest, {});
  });
}
