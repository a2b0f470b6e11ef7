import { isDeepStrictEqual } from 'node:util';
import type { UsersAndTeamsAccess, UsersAndTeamsRehearsal } from '@portolan/contract/users-and-teams';
import type { ManualItem } from '@portolan/team-references';
import type { Actor } from '../../../platform/actor.ts';
import { toRoles } from '../../accounts/index.ts';
import { listPersonStandings, type PersonStanding } from '../../accounts/maintenance.ts';
import type { StoredAction } from '../../actions/index.ts';
import { isSelfService, mayApprove, mayExecute } from '../../actions/maintenance.ts';
import type { StoredBlueprint } from '../../blueprints/index.ts';
import { findOrganization } from '../../organizations/index.ts';
import { mayChangePage, maySeePage, type StoredPage } from '../../pages/maintenance.ts';
import { compareAccess } from '../../policies/maintenance.ts';
import { type EntityVerb, grantScope } from '../../rights/index.ts';
import type { MigrationsDeps } from '../migrations.deps.ts';
import { mapRights, resolvedNames, withResolvedTeams } from './move-rights.ts';
import { type BlueprintPlan, planBlueprints } from './plan-blueprints.ts';
import { readDocuments } from './read-documents.ts';
import { type Facts, readFacts } from './read-facts.ts';
import { listManualItems, presentPlan } from './read-plan.ts';
import { rehearseExpressions } from './rehearse-expressions.ts';
import { alreadyThere } from './start-migration.ts';

const verbs: readonly EntityVerb[] = ['read', 'register', 'update', 'unregister'];
const peopleMax = 5_000;
const listedMax = 1_000;
/** Bounds the policy queries to the database. */
const askedMax = 5_000;

type Differences = { readonly gained: UsersAndTeamsAccess[]; readonly lost: UsersAndTeamsAccess[]; asked: number };

/**
 * Compares everyone's rights on blueprints, actions and pages before and after the migration, without doing it.
 * Policies run as queries on current entities under the names of either model; expressions are compared on samples.
 * @throws AppError `already_on_new_model`
 */
export async function rehearse(deps: MigrationsDeps, actor: Actor): Promise<UsersAndTeamsRehearsal> {
  const model = (await findOrganization(deps.database, actor.orgId))?.model;
  if (model !== 'legacy' && model !== 'beta') throw alreadyThere();
  const facts = await readFacts(deps.database, actor.orgId, model);
  const plan = planBlueprints({ ...facts, withTeams: new Set(facts.withTeams.keys()) });
  const people = await listPersonStandings(deps.database, actor.orgId, peopleMax + 1);
  const checked = people.slice(0, peopleMax);
  const found: Differences = { gained: [], lost: [], asked: 0 };
  const actions = facts.actions.filter(isSelfService);
  for (const person of checked) {
    const [before, after] = [actorFor(facts.orgId, model, person), actorFor(facts.orgId, 'blueprints', person)];
    await compareBlueprints(deps, facts, plan, before, after, found);
    for (const action of actions) await compareAction(deps, facts, action, before, after, found);
    for (const page of facts.pages) comparePage(facts, page, before, after, found);
  }
  const { gained, lost, asked } = found;
  const documents = await readDocuments(deps.database, facts);
  const manual = listManualItems(facts, documents);
  const items = manual as unknown as ManualItem[];
  const rehearsed = await rehearseExpressions(deps.database, facts, documents, checked, items);
  const { tried, expressions } = rehearsed;
  return {
    hash: presentPlan(facts, plan, manual).hash,
    gained: gained.slice(0, listedMax),
    lost: lost.slice(0, listedMax),
    expressions,
    dangling: facts.unresolved
      .map(({ name, places }) => ({ name, places: places.filter((place) => place.startsWith('permissions')) }))
      .filter(({ places }) => places.length > 0),
    checked: {
      people: checked.length,
      blueprints: facts.blueprints.length,
      actions: actions.length,
      pages: facts.pages.length,
      expressions: tried,
    },
    isCut:
      people.length > peopleMax ||
      asked >= askedMax ||
      rehearsed.isCut ||
      [gained, lost].some(({ length }) => length > listedMax),
  };
}

function actorFor(orgId: string, model: Actor['model'], person: PersonStanding): Actor {
  const { identifier, role, moderatedBlueprints, teamKeys } = person;
  const roles = toRoles(role, moderatedBlueprints);
  return {
    orgId,
    model,
    kind: 'person',
    id: identifier,
    userId: identifier,
    roles,
    teamKeys,
    datasource: '',
    origin: 'API',
  };
}

async function compareBlueprints(
  deps: MigrationsDeps,
  facts: Facts,
  plan: BlueprintPlan,
  before: Actor,
  after: Actor,
  found: Differences,
): Promise<void> {
  const resolved = resolvedNames(facts.choices, facts.teams);
  const moved = facts.blueprints.map((blueprint) => {
    const planned = plan.blueprints.find((each) => each.before.key === blueprint.key);
    const { definition, rights } = planned ?? blueprint;
    return { ...blueprint, definition, rights: withResolvedTeams(rights, resolved) };
  });
  for (const [index, blueprint] of facts.blueprints.entries()) {
    const next = moved[index] as StoredBlueprint;
    for (const verb of verbs) {
      const [was, will] = [grantScope(before, verb, blueprint), grantScope(after, verb, next)];
      const access = {
        kind: 'blueprint',
        identifier: blueprint.identifier,
        operation: verb,
        person: before.id,
      } as const;
      const isAsked = was.policies.length > 0 || will.policies.length > 0;
      if (was.isAll && will.isAll) continue;
      if (!isAsked) {
        if (isDeepStrictEqual(was, will)) continue;
        const isWider = will.isAll || (will.isOwned && !was.isOwned && !was.isAll);
        (isWider ? found.gained : found.lost).push(access);
        continue;
      }
      if (found.asked >= askedMax) continue;
      found.asked += 1;
      const { gained, lost } = await compareAccess(
        deps,
        verb,
        { actor: before, blueprint, blueprints: facts.blueprints },
        { actor: after, blueprint: next, blueprints: moved },
      );
      if (gained > 0) found.gained.push({ ...access, entities: gained });
      if (lost > 0) found.lost.push({ ...access, entities: lost });
    }
  }
}

async function compareAction(
  deps: MigrationsDeps,
  facts: Facts,
  action: StoredAction,
  before: Actor,
  after: Actor,
  found: Differences,
): Promise<void> {
  const resolved = resolvedNames(facts.choices, facts.teams);
  const rights = mapRights(action.rights, resolved);
  const next = { ...action, rights };
  const isAsked = Boolean(action.rights?.execute?.policy ?? action.rights?.approve?.policy);
  if (isAsked) {
    if (found.asked >= askedMax) return;
    found.asked += 1;
  }
  const subject = { action, entity: undefined, inputs: {} };
  const access = { kind: 'action', identifier: action.identifier, person: before.id } as const;
  for (const [operation, may] of [
    ['execute', mayExecute],
    ['approve', mayApprove],
  ] as const) {
    const was = await may(deps, before, subject);
    const will = await may(deps, after, { ...subject, action: next });
    if (was !== will) (will ? found.gained : found.lost).push({ ...access, operation });
  }
}

function comparePage(facts: Facts, page: StoredPage, before: Actor, after: Actor, found: Differences): void {
  const resolved = resolvedNames(facts.choices, facts.teams);
  const next = { ...page, rights: mapRights(page.rights, resolved) };
  const access = { kind: 'page', identifier: page.identifier, person: before.id } as const;
  for (const [operation, may] of [
    ['read', maySeePage],
    ['update', mayChangePage],
  ] as const) {
    const [was, will] = [may(before, page), may(after, next)];
    if (was !== will) (will ? found.gained : found.lost).push({ ...access, operation });
  }
}
