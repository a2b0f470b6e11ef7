import { blueprintBody, blueprintPatch } from '@portolan/contract/blueprints';
import { entityBody } from '@portolan/contract/entities';
import { scorecardBody } from '@portolan/contract/scorecards';
import type { BlueprintRecord, EntityRecord, ScorecardRecord } from '@portolan/contract/transfer-file';
import {
  type BlueprintsDeps,
  holdBlueprint,
  insertChecked,
  lockBlueprint,
  patchWithin,
} from '../modules/blueprints/index.ts';
import { changePermissionsWithin } from '../modules/blueprints/maintenance.ts';
import { type CatalogDeps, toEntityWrite, writeEntities } from '../modules/entities/index.ts';
import { createScorecardWithin } from '../modules/scorecards/maintenance.ts';
import { AppError } from '../platform/errors.ts';
import type { Work } from '../platform/unit-of-work.ts';
import { loadCampaigns } from './load-campaigns.ts';
import { loadPortal } from './load-portal.ts';
import { type DemoSource, readDemo } from './read-demo.ts';

export interface LoadDemoDeps {
  readonly blueprints: BlueprintsDeps;
  readonly catalog: CatalogDeps;
}

/** The team of whoever looks at the demo, so that what asks for own teams has something to show. */
export const visitorsTeam = 'developer-platform';

/** Fills a new organization with the demo data, within the transaction that makes it. */
export async function loadDemo(deps: LoadDemoDeps, loading: Work, source: DemoSource): Promise<void> {
  // what was there from the start did not happen: its automations would answer incidents that are long over
  const work: Work = { ...loading, record: (entry) => loading.record({ ...entry, isSilent: true }) };
  const demo = readDemo(source, work.now);
  await loadBlueprints(deps, work, demo.blueprints);
  for (const batch of batches(demo.entities)) await loadEntities(deps, work, batch);
  await loadScorecards(deps, work, demo.scorecards);
  await loadCampaigns(work, source);
  await loadPortal(work, demo);
  await loadBlueprintRights(work, demo.blueprints);
}

/** Aggregations point at later blueprints, so they are added when all are there; then the platform's own are extended. */
async function loadBlueprints(
  { blueprints }: LoadDemoDeps,
  work: Work,
  records: readonly BlueprintRecord[],
): Promise<void> {
  const patch = (identifier: string, body: object) =>
    Object.keys(body).length > 0 && patchWithin(blueprints, work, identifier, blueprintPatch.parse(body));
  const isOwn = ({ identifier }: BlueprintRecord): boolean => !identifier.startsWith('_');
  for (const { body } of records.filter(isOwn)) {
    const { aggregationProperties: _later, ...rest } = body;
    await insertChecked(work, blueprintBody.parse(rest), false);
  }
  for (const { identifier, body } of records.filter(isOwn)) {
    const { aggregationProperties = {} } = body;
    if (Object.keys(aggregationProperties).length > 0) await patch(identifier, { aggregationProperties });
  }
  for (const { body } of records.filter((record) => !isOwn(record))) {
    const { identifier, ...extension } = body;
    await patch(identifier, extension);
  }
}

async function loadBlueprintRights(work: Work, records: readonly BlueprintRecord[]): Promise<void> {
  for (const { identifier, permissions } of records) {
    if (permissions) await changePermissionsWithin(work, identifier, () => permissions);
  }
}

/** After the entities, so that each is evaluated once. */
async function loadScorecards(
  { catalog }: LoadDemoDeps,
  work: Work,
  records: readonly ScorecardRecord[],
): Promise<void> {
  for (const { blueprint: identifier, body } of records) {
    const blueprint = await lockBlueprint(work.tx, work.actor.orgId, identifier);
    if (blueprint) await createScorecardWithin(catalog, work, blueprint, scorecardBody.parse(body));
  }
}

interface Batch {
  readonly blueprint: string;
  readonly datasource: string;
  readonly records: EntityRecord[];
}

/** Neighbours of one blueprint and one writer are written together; within a batch entities may relate to each other. */
function batches(entities: readonly EntityRecord[]): Batch[] {
  const all: Batch[] = [];
  for (const record of entities) {
    const { blueprint, datasource = 'portolan-portal/demo' } = record;
    const last = all.at(-1);
    const isSame = last?.blueprint === blueprint && last.datasource === datasource;
    if (isSame) last.records.push(record);
    else all.push({ blueprint, datasource, records: [record] });
  }
  return all;
}

async function loadEntities({ catalog }: LoadDemoDeps, work: Work, batch: Batch): Promise<void> {
  const blueprint = await holdBlueprint(work.tx, work.actor.orgId, batch.blueprint);
  if (!blueprint)
    throw new AppError('internal_error', `The demo names a blueprint that is not there: ${batch.blueprint}`);
  const writer: Work = { ...work, actor: { ...work.actor, datasource: batch.datasource } };
  const items = batch.records.map(({ body }) => toEntityWrite(entityBody.parse(body)));
  const outcomes = await writeEntities(catalog, writer, blueprint, items, {
    mode: 'replace',
    expects: 'either',
    createMissingRelated: false,
  });
  for (const outcome of outcomes) if ('error' in outcome) throw outcome.error;
}
