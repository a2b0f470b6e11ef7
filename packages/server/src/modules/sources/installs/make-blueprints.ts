import { type BlueprintBody, blueprintBody } from '@portolan/contract/blueprints';
import type { Work } from '../../../platform/unit-of-work.ts';
import {
  type BlueprintsDeps,
  createBlueprintWithin,
  findBlueprint,
  listBlueprintRows,
  patchWithin,
} from '../../blueprints/index.ts';
import type { MadeBlueprint } from './made-blueprint.ts';
import { type BlueprintPlan, planBlueprints } from './plan-install.ts';

/** Makes and extends blueprints as planned, within the caller's unit of work. @throws AppError as `createBlueprintWithin` */
export async function makeBlueprints(deps: BlueprintsDeps, work: Work, plan: BlueprintPlan): Promise<MadeBlueprint[]> {
  for (const body of plan.bare) {
    await createBlueprintWithin(deps, work, body, { withCatalogPage: true });
  }
  for (const { identifier, patch } of plan.patches) await patchWithin(deps, work, identifier, patch);
  const made: MadeBlueprint[] = [];
  for (const planned of plan.blueprints) {
    const stored = planned.change === 'create' && (await findBlueprint(work.tx, work.actor.orgId, planned.identifier));
    made.push({ ...planned, ...(stored ? { version: stored.version } : {}) });
  }
  return made;
}

/** Makes blueprints that are not there and adds what others lack; what is there stays, also where it differs. */
export async function ensureBlueprints(
  deps: BlueprintsDeps,
  work: Work,
  wanted: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const bodies = wanted.map((each) => blueprintBody.parse(each) as BlueprintBody);
  const existing = await listBlueprintRows(work.tx, work.actor.orgId);
  await makeBlueprints(deps, work, planBlueprints(bodies, existing, new Set()));
}
