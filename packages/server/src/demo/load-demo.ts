import { blueprintBody, blueprintPatch, entityBody, scorecardBody } from '@portolan/contract';
import {
  type BlueprintsDeps,
  holdBlueprint,
  insertChecked,
  lockBlueprint,
  patchWithin,
  setBlueprintRights,
} from '../modules/blueprints/index.ts';
import { type CatalogDeps, createScorecardWithin, itemOf, writeEntities } from '../modules/catalog/index.ts';
import { permitEntityRights } from '../modules/identity/index.ts';
import { AppError } from '../platform/errors.ts';
import type { Work } from '../platform/unit-of-work.ts';
import { demoOrganization, withPlainRelations } from './index.ts';
import { loadPortal } from './load-portal.ts';
import type { DemoEntity, DemoOrganization } from './types.ts';

export interface LoadDemoDeps {
  readonly blueprints: BlueprintsDeps;
  readonly catalog: CatalogDeps;
}

/** Fills a new organization with the demo data, within the transaction that makes it. */
export async function loadDemo(deps: LoadDemoDeps, loading: Work, publicUrl: string): Promise<void> {
  // what was there from the start did not happen: its automations would answer incidents that are long over
  const work: Work = { ...loading, record: (entry) => loading.record({ ...entry, isSilent: true }) };
  const demo = demoOrganization(work.now, publicUrl);
  await loadBlueprints(deps, work, demo);
  for (const batch of batches(entitiesOf(demo))) await loadEntities(deps, work, batch);
  await loadScorecards(work, demo);
  await loadPortal(work, demo);
  for (const [identifier, rights] of Object.entries(demo.blueprintPermissions)) {
    const blueprint = { identifier, rights: null };
    await setBlueprintRights(work.tx, work.actor.orgId, identifier, permitEntityRights(work.actor, blueprint, rights));
  }
}

/** Aggregations point at later blueprints, so they are added when all are there. */
async function loadBlueprints({ blueprints }: LoadDemoDeps, work: Work, demo: DemoOrganization): Promise<void> {
  for (const { aggregationProperties: _later, ...body } of demo.blueprints) {
    await insertChecked(work, blueprintBody.parse(body), false);
  }
  for (const { identifier, aggregationProperties } of demo.blueprints) {
    if (Object.keys(aggregationProperties).length === 0) continue;
    await patchWithin(blueprints, work, identifier, blueprintPatch.parse({ aggregationProperties }));
  }
  for (const { identifier, ...extension } of demo.systemBlueprints) {
    await patchWithin(blueprints, work, identifier, blueprintPatch.parse(extension));
  }
}

/** After the entities, so that each is evaluated once. */
async function loadScorecards(work: Work, demo: DemoOrganization): Promise<void> {
  for (const { blueprint: identifier, scorecard } of demo.scorecards) {
    const blueprint = await lockBlueprint(work.tx, work.actor.orgId, identifier);
    if (blueprint) await createScorecardWithin(work, blueprint, scorecardBody.parse(scorecard));
  }
}

/** Teams, people, the catalog, agents and what was asked of them, in an order in which relations find their targets. */
function entitiesOf(demo: DemoOrganization): DemoEntity[] {
  const teams = demo.teams.map(({ identifier, title, description, relations }) => ({
    blueprint: '_team',
    identifier,
    title,
    properties: { description },
    relations,
  }));
  const users = demo.users.map(({ identifier, title, status, role, type, teams: team, properties, relations }) => ({
    blueprint: '_user',
    identifier,
    title,
    team,
    properties: { status, port_role: role, port_type: type, ...properties },
    relations,
  }));
  return [...teams, ...users, ...withPlainRelations(demo), ...demo.agents, ...demo.invocations];
}

interface Batch {
  readonly blueprint: string;
  readonly datasource: string;
  readonly entities: DemoEntity[];
}

/** Neighbours of one blueprint and one writer are written together; within a batch entities may relate to each other. */
function batches(entities: readonly DemoEntity[]): Batch[] {
  const all: Batch[] = [];
  for (const entity of entities) {
    const datasource = entity.datasource ?? 'portolan-portal/demo';
    const last = all.at(-1);
    const isSame = last?.blueprint === entity.blueprint && last.datasource === datasource;
    if (isSame) last.entities.push(entity);
    else all.push({ blueprint: entity.blueprint, datasource, entities: [entity] });
  }
  return all;
}

async function loadEntities({ catalog }: LoadDemoDeps, work: Work, batch: Batch): Promise<void> {
  const blueprint = await holdBlueprint(work.tx, work.actor.orgId, batch.blueprint);
  if (!blueprint)
    throw new AppError('internal_error', `The demo names a blueprint that is not there: ${batch.blueprint}`);
  const writer: Work = { ...work, actor: { ...work.actor, datasource: batch.datasource } };
  const items = batch.entities.map(({ blueprint: _blueprint, datasource: _datasource, ...body }) =>
    itemOf(entityBody.parse(body)),
  );
  const outcomes = await writeEntities(catalog, writer, blueprint, items, {
    mode: 'replace',
    expects: 'either',
    createMissingRelated: false,
  });
  for (const outcome of outcomes) if ('error' in outcome) throw outcome.error;
}
