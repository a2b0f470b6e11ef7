import { createHash } from 'node:crypto';
import { isRecord } from '@portolan/contract/json-value';
import type { UsersAndTeamsChange, UsersAndTeamsPlan } from '@portolan/contract/users-and-teams';
import { findManualItems, type ManualItem, type OrganizationDocuments } from '@portolan/team-references';
import type { Actor } from '../../../platform/actor.ts';
import { actionReferencesOf, presentActionRights } from '../../actions/maintenance.ts';
import { listSystemBlueprints, referencesIn, type StoredBlueprint } from '../../blueprints/index.ts';
import { mapGrants, presentPermissions } from '../../blueprints/maintenance.ts';
import { findOrganization } from '../../organizations/index.ts';
import { pageReferencesOf, presentPageRights } from '../../pages/maintenance.ts';
import type { MigrationsDeps } from '../migrations.deps.ts';
import { listAcceptances } from './acceptance.store.ts';
import { presentAcceptances } from './acceptance.ts';
import { findProblems } from './find-problems.ts';
import { resolvedNames, shownBy } from './move-rights.ts';
import { type BlueprintPlan, type DocumentChange, planBlueprints } from './plan-blueprints.ts';
import { readDocuments } from './read-documents.ts';
import { type Facts, findCollisions, nextTeams, readFacts } from './read-facts.ts';
import { withSamples } from './read-samples.ts';
import { alreadyThere } from './start-migration.ts';

/** Plans the migration of the caller's organization without writing. @throws AppError `already_on_new_model` */
export async function readPlan(deps: MigrationsDeps, actor: Actor): Promise<UsersAndTeamsPlan> {
  const model = (await findOrganization(deps.database, actor.orgId))?.model;
  if (model !== 'legacy' && model !== 'beta') throw alreadyThere();
  const facts = await readFacts(deps.database, actor.orgId, model);
  const documents = await readDocuments(deps.database, facts);
  const manual = listManualItems(facts, documents);
  const plan = presentPlan(facts, planBlueprints({ ...facts, withTeams: new Set(facts.withTeams.keys()) }), manual);
  const acceptances = await listAcceptances(deps.database, actor.orgId);
  return {
    ...plan,
    // samples depend on current entities and people, and are not part of the plan proper
    manual: await withSamples(deps.database, facts, documents, manual),
    accepted: presentAcceptances(acceptances, manual as unknown as ManualItem[]),
  };
}

/** Items left to people: references to teams in expressions, queries, mappings and texts. Pure. */
export function listManualItems({ choices }: Facts, documents: OrganizationDocuments): UsersAndTeamsPlan['manual'] {
  const { identifiers } = choices;
  return findManualItems(documents, identifiers ? { identifiers } : {}) as unknown as UsersAndTeamsPlan['manual'];
}

/** Presents the plan without acceptances. Pure. */
export function presentPlan(
  facts: Facts,
  plan: BlueprintPlan,
  manual: UsersAndTeamsPlan['manual'],
): Omit<UsersAndTeamsPlan, 'accepted'> {
  const { model, teams, users, choices, unresolved } = facts;
  const next = nextTeams(facts);
  const identifiers = new Map(next.map(({ key, identifier }) => [key, identifier]));
  const changes = [...created(facts), ...ofBlueprints(facts, plan), ...ofRights(facts, identifiers)];
  const { blockers, warnings } = findProblems(facts, plan);
  const content = {
    model,
    teams: next.map(({ title, identifier, source }) => ({ title, identifier, source })),
    users,
    removedRelations: plan.going.map(({ blueprint, relation }) => ({ blueprint, relation })),
    automatic: changes.filter(({ rule }) => rule !== 'implied'),
    implied: changes.filter(({ rule }) => rule === 'implied'),
    collisions: findCollisions(teams),
    unresolved: unresolved.map(({ name, places }) => ({ name, places: [...places] })),
    blockers: [...blockers],
    warnings: [...warnings],
    manual,
    choices,
  };
  return { hash: createHash('sha256').update(JSON.stringify(content)).digest('hex'), ...content };
}

/** Blueprints that the migration creates (R0). */
function created({ model, users, teams }: Facts): UsersAndTeamsChange[] {
  if (model !== 'legacy') return [];
  const counts: Readonly<Record<string, number>> = { _user: users, _team: teams.length };
  return listSystemBlueprints('blueprints')
    .filter(({ identifier }) => Object.hasOwn(counts, identifier))
    .map((body) => ({
      rule: 0 as const,
      resource: { kind: 'blueprint', identifier: body.identifier, title: body.title ?? body.identifier },
      pointer: '',
      before: null,
      after: toJson(body),
      note: `with ${counts[body.identifier]} entities and a catalog page`,
    }));
}

function ofBlueprints(facts: Facts, plan: BlueprintPlan): UsersAndTeamsChange[] {
  const noted = (change: DocumentChange, blueprint: StoredBlueprint): string | undefined => {
    if (change.note !== undefined) return change.note;
    const count = facts.withTeams.get(blueprint.key);
    if (count === undefined || change.pointer !== '/ownership') return undefined;
    if (change.rule === 2) return `${count} entities name teams of their own, which count as little as before`;
    return change.rule === 1 ? `${count} entities name teams` : undefined;
  };
  return plan.blueprints.flatMap(({ before, changes }) =>
    changes.map((change): UsersAndTeamsChange => {
      const note = noted(change, before);
      const kind = change.part === 'permissions' ? 'blueprint-permissions' : 'blueprint';
      return {
        rule: change.rule,
        resource: toResource(kind, before.identifier, before.definition.title),
        pointer: change.pointer,
        before: shownGrant(change.before, facts),
        after: shownGrant(change.after, facts),
        ...(note === undefined ? {} : { note }),
      };
    }),
  );
}

/** Grants store team keys; the plan shows titles. */
function shownGrant(value: unknown, { teams }: Facts): UsersAndTeamsChange['before'] {
  if (!isRecord(value) || !('teams' in value) || !Array.isArray(value.teams)) return toJson(value);
  const names = shownBy(new Map(teams.map(({ key, title }) => [key, title])), value.teams);
  return toJson({ ...value, teams: value.teams.flatMap((reference: string) => names.get(reference) ?? []) });
}

/** Lists of teams in permissions that read differently after the migration (rule 4). */
function ofRights(facts: Facts, identifiers: ReadonlyMap<string, string>): UsersAndTeamsChange[] {
  const titles = new Map(facts.teams.map(({ key, title }) => [key, title]));
  const resolved = resolvedNames(facts.choices, facts.teams);
  const settle = (reference: string) => resolved.get(reference) ?? reference;
  const blueprints = facts.blueprints.flatMap((blueprint) => {
    const references = referencesIn(blueprint.rights);
    if (references.length === 0 || !blueprint.rights) return [];
    const rights = mapGrants(blueprint.rights, (grant) =>
      grant.teams ? { ...grant, teams: grant.teams.map(settle) } : grant,
    );
    const before = presentPermissions(blueprint, shownBy(titles, references));
    const after = presentPermissions({ ...blueprint, rights }, shownBy(identifiers, referencesIn(rights)));
    return lists(toResource('blueprint-permissions', blueprint.identifier, blueprint.definition.title), before, after);
  });
  const actions = facts.actions.flatMap((action) => {
    const references = actionReferencesOf(action);
    const before = presentActionRights(action, shownBy(titles, references));
    const after = presentActionRights(action, settled(references, resolved, identifiers));
    return lists(toResource('action-permissions', action.identifier, action.definition.title), before, after);
  });
  const pages = facts.pages.flatMap((page) => {
    const references = pageReferencesOf(page);
    const before = presentPageRights(page, shownBy(titles, references));
    const after = presentPageRights(page, settled(references, resolved, identifiers));
    return lists(toResource('page-permissions', page.identifier, page.definition.title), before, after);
  });
  return [...blueprints, ...actions, ...pages];
}

function settled(
  references: readonly string[],
  resolved: ReadonlyMap<string, string>,
  identifiers: ReadonlyMap<string, string>,
): Map<string, string> {
  const names = shownBy(identifiers, references);
  for (const reference of references) {
    const name = identifiers.get(resolved.get(reference) ?? '');
    if (name !== undefined) names.set(reference, name);
  }
  return names;
}

/** Every differing list under `teams`, at any depth. */
function lists(
  resource: UsersAndTeamsChange['resource'],
  before: unknown,
  after: unknown,
  pointer = '',
): UsersAndTeamsChange[] {
  if (!isRecord(before)) return [];
  return Object.entries(before).flatMap(([key, value]) => {
    const at = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const next = (after as Record<string, unknown> | undefined)?.[key];
    // policies are free text to the migration, and a property may be called `teams` too
    if (key === 'policy') return [];
    if (!Array.isArray(value)) return lists(resource, value, next, at);
    if (key !== 'teams' || JSON.stringify(value) === JSON.stringify(next)) return [];
    return [{ rule: 4 as const, resource, pointer: at, before: toJson(value), after: toJson(next) }];
  });
}

function toResource(kind: string, identifier: string, title: unknown): UsersAndTeamsChange['resource'] {
  return { kind, identifier, title: typeof title === 'string' && title !== '' ? title : identifier };
}

function toJson(value: unknown): UsersAndTeamsChange['before'] {
  return (value ?? null) as UsersAndTeamsChange['before'];
}
