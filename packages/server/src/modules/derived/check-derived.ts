import { isDeepStrictEqual } from 'node:util';
import type { JqValue } from '@portolan/jq';
import { type Actor, systemActor } from '../../platform/actor.ts';
import type { Database, Reader } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import { findEntitiesByKey, listKeysAfter, type StoredEntity, teamForms } from '../entity-rows/index.ts';
import { findOrganization } from '../organizations/index.ts';
import { calculationInput, teamNamer } from './calculate.ts';
import { isRouted } from './derivation-plan.ts';
import { countMarks, holdPlans, listMarkedKeys, lockFree, lockGroup } from './derived.store.ts';
import type { DerivedNode, RoutedNode } from './derived-node.ts';
import type { ConsistencyReport, Difference } from './difference.ts';
import { type LoadedPlans, loadPlans } from './load-plans.ts';
import { type ReadingContext, readInputs } from './read-inputs.store.ts';

export interface DerivedReport {
  /** Entities recomputed. */
  readonly checked: number;
  /** Values still marked for the job: they may differ and are not reported. */
  readonly pending: number;
  readonly differing: number;
  /** The first hundred. */
  readonly differences: readonly Difference[];
}

/** Scorecards are checked by their own module. */
export interface CheckDerivedDeps {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
  readonly checkScorecards: (
    deps: Pick<CheckDerivedDeps, 'database' | 'unitOfWork'>,
    actor: Actor,
    now: Date,
  ) => Promise<ConsistencyReport>;
}

const batchSize = 500;
const shownMax = 100;

/**
 * Recomputes everything derived in an organization without writing, and reports differences. Each value is compared
 * with what its stored sources give: without cycles, all are right if all agree. Values that depend on the clock are
 * skipped. Writers continue; differences are rechecked while nobody derives, so that nothing in progress is reported.
 * @throws AppError `not_found`
 */
export async function checkDerived(
  { database, unitOfWork, checkScorecards }: CheckDerivedDeps,
  orgId: string,
  now: Date,
): Promise<DerivedReport> {
  const organization = await findOrganization(database, orgId);
  if (!organization) throw notFound('Organization', orgId, 'id');
  const actor = systemActor(orgId, organization.model);
  const plans = await loadPlans(database, orgId);
  const contextOf = (some: LoadedPlans): ReadingContext => ({
    orgId,
    now,
    ...teamForms(organization.model),
    blueprints: some.byIdentifier,
  });
  const differences: Difference[] = [];
  let checked = 0;
  let differing = 0;
  for (const { blueprint } of plans.byBlueprint.values()) {
    for (let after = 0; ; ) {
      const keys = await listKeysAfter(database, orgId, blueprint.key, { afterKey: after, limit: batchSize });
      if (keys.length === 0) break;
      after = keys.at(-1) as number;
      checked += keys.length;
      const entities = await findEntitiesByKey(database, orgId, keys);
      const suspects = await compare(database, contextOf(plans), plans, blueprint.key, entities);
      if (suspects.length === 0) continue;
      const found = await unitOfWork(actor, async ({ tx }) => {
        const free = await lockFree(tx, orgId, [...new Set(suspects.map(({ key }) => key))]);
        holdPlans(tx, orgId);
        const present = await loadPlans(tx, orgId);
        lockGroup(tx, orgId, present.groupOf(blueprint.key));
        const marked = await listMarkedKeys(tx, orgId, free);
        const wrong = await compare(tx, contextOf(present), present, blueprint.key, free);
        return wrong.filter(({ key, property }) => !marked.has(`${key}/${property}`) && !marked.has(`${key}/*`));
      });
      differing += found.length;
      for (const { key: _key, ...difference } of found) if (differences.length < shownMax) differences.push(difference);
    }
  }
  const scorecards = await checkScorecards({ database, unitOfWork }, actor, now);
  differences.push(...scorecards.differences.slice(0, shownMax - differences.length));
  return {
    checked: checked + scorecards.checked,
    pending: (await countMarks(database, orgId)) + scorecards.pending,
    differing: differing + scorecards.differences.length,
    differences,
  };
}

type Suspect = Difference & { readonly key: number };

/** Values of these entities that differ from what their sources give, and values without a definition. */
async function compare(
  reader: Reader,
  context: ReadingContext,
  plans: LoadedPlans,
  blueprintKey: number,
  entities: readonly StoredEntity[],
): Promise<Suspect[]> {
  const plan = plans.byBlueprint.get(blueprintKey);
  if (!plan || entities.length === 0) return [];
  const suspects: Suspect[] = [];
  const report = ({ key, identifier }: StoredEntity, property: string, stored: unknown, computed: unknown): void => {
    suspects.push({ key, blueprint: plan.blueprint.identifier, entity: identifier, property, stored, computed });
  };
  const names = new Set(plan.nodes.map((node) => node.key));
  for (const entity of entities) {
    for (const name of Object.keys(entity.derived))
      if (!names.has(name)) report(entity, name, entity.derived[name], null);
  }
  const computedOf = await computeAll(reader, context, plan.nodes, entities);
  for (const node of plan.nodes) {
    if (node.isTimed) continue;
    for (const entity of entities) {
      const stored = node.key === '$team' ? entity.teamRefs : (entity.derived[node.key] ?? null);
      const computed = computedOf(node, entity) ?? null;
      if (!isDeepStrictEqual(stored, computed)) report(entity, node.key, stored, computed);
    }
  }
  return suspects;
}

async function computeAll(
  reader: Reader,
  context: ReadingContext,
  nodes: readonly DerivedNode[],
  entities: readonly StoredEntity[],
): Promise<(node: DerivedNode, entity: StoredEntity) => unknown> {
  const keys = entities.map(({ key }) => key);
  const routes = new Map<string, RoutedNode[]>();
  for (const node of nodes) {
    if (isRouted(node)) routes.set(node.route.id, [...(routes.get(node.route.id) ?? []), node]);
  }
  const values = new Map<string, ReadonlyMap<number, unknown>>();
  for (const group of routes.values()) {
    for (const [id, found] of await readInputs(reader, context, group, keys)) values.set(id, found);
  }
  const calculations = nodes.filter((node) => node.kind === 'calculation').map((node) => ({ node }));
  const namesOf = await teamNamer(reader, context, calculations, entities);
  const inputs = new Map<number, JqValue>();
  return (node, entity) => {
    if (isRouted(node)) return values.get(node.id)?.get(entity.key);
    if (node.kind === 'void') return node.key !== '$team' ? null : node.isOwnTeams ? entity.ownTeamRefs : [];
    const input = inputs.get(entity.key) ?? calculationInput(node.blueprint, entity, namesOf(entity));
    inputs.set(entity.key, input);
    return node.calculation.evaluate(input, node.type, context.now);
  };
}
