import type { OperationAnswer } from '@portolan/contract/operation';
import type { getOwnRights, OwnRight } from '@portolan/contract/permission-explanations';
import { scopesCover } from '@portolan/contract/scopes';
import type { Actor } from '../../platform/actor.ts';
import { satisfiedGrants } from '../access/index.ts';
import { teamNames } from '../accounts/index.ts';
import { keysOfPart, referencesIn, type StoredBlueprint } from '../blueprints/index.ts';
import { getEntity, type ReadDeps, readableBlueprint } from '../entities/index.ts';
import type { SearchDeps } from '../entity-query/index.ts';
import {
  blueprintGrant,
  can,
  canOn,
  canUpdatePart,
  canUpdateSome,
  type EntityPart,
  effectivePolicy,
  type Grant,
  grantScope,
  grantsBehindPart,
  moderates,
  partGrant,
  type Subject,
} from '../rights/index.ts';

type OwnRights = OperationAnswer<typeof getOwnRights>['rights'];
type Reach = OwnRight['allowed'];

const scopeOf = { register: 'create:entities', update: 'update:entities', unregister: 'delete:entities' } as const;

/**
 * What the caller may do with the entities of a blueprint, or with one of them. The decision is that of writes, so a
 * screen needs to work out nothing.
 * @throws AppError `not_found` for what the caller may not read
 */
export async function readOwnRights(
  deps: ReadDeps,
  actor: Actor,
  blueprintName: string,
  identifier: string | undefined,
): Promise<OwnRights> {
  const found = identifier === undefined ? undefined : await getEntity(deps, actor, blueprintName, identifier);
  const blueprint = found?.blueprint ?? (await readableBlueprint(deps, actor, blueprintName));
  const subject = found && (await subjectOf(deps, actor, blueprint, found.entity));
  const names = await teamNames(deps.database, actor.orgId, actor.model, referencesIn(blueprint.rights), 'title');
  const right = (allowed: Reach, scope: string, grants: readonly Grant[]): OwnRight => ({
    allowed: scopesCover(actor.scopes, scope) ? allowed : 'never',
    needs: describe(grants, names),
  });
  const verb = (name: keyof typeof scopeOf) =>
    right(reachOf(actor, name, blueprint, subject), scopeOf[name], [blueprintGrant(blueprint, name)]);
  const parts = (part: EntityPart): Record<string, OwnRight> =>
    Object.fromEntries(
      keysOfPart(blueprint, part).map((key) => {
        const allowed = reachOfPart(actor, blueprint, part, key, subject);
        const grants = [blueprintGrant(blueprint, 'update'), partGrant(blueprint, part, key)];
        return [key, right(allowed, scopeOf.update, grants)];
      }),
    );
  const [update, updateProperties, updateRelations] = [
    verb('update'),
    parts('updateProperties'),
    parts('updateRelations'),
  ];
  const all = [update, ...Object.values(updateProperties), ...Object.values(updateRelations)];
  const most = (['always', 'depends'] as const).find((each) => all.some(({ allowed }) => allowed === each));
  return {
    register: verb('register'),
    edit: { allowed: canUpdateSome(actor, blueprint) ? (most ?? 'never') : 'never', needs: update.needs },
    update,
    unregister: verb('unregister'),
    migrate: right(moderates(actor, [blueprint.identifier]) ? 'always' : 'never', 'create:migrations', [
      { roles: [`${blueprint.identifier}-moderator`] },
    ]),
    updateProperties,
    updateRelations,
  };
}

async function subjectOf(
  deps: SearchDeps,
  actor: Actor,
  blueprint: StoredBlueprint,
  entity: { readonly key: number; readonly teamRefs: readonly string[] },
): Promise<Subject> {
  const met = await satisfiedGrants(deps, actor, blueprint, [entity]);
  return { teamRefs: entity.teamRefs, met: met(entity.key) };
}

/** Registering is about an entity that is not there yet: what one entity is says nothing about it. */
function reachOf(
  actor: Actor,
  verb: keyof typeof scopeOf,
  blueprint: StoredBlueprint,
  subject: Subject | undefined,
): Reach {
  if (subject && verb !== 'register') return canOn(actor, verb, blueprint, subject) ? 'always' : 'never';
  if (grantScope(actor, verb, blueprint).isAll) return 'always';
  return can(actor, verb, blueprint) ? 'depends' : 'never';
}

function reachOfPart(
  actor: Actor,
  blueprint: StoredBlueprint,
  part: EntityPart,
  key: string,
  subject: Subject | undefined,
): Reach {
  if (canUpdatePart(actor, blueprint, part, key, subject ?? { teamRefs: [] })) return 'always';
  if (subject) return 'never';
  const grants = grantsBehindPart(blueprint, part, key).map(({ grant }) => grant);
  const mayMatch = grants.some(
    (grant) => (grant.ownedByTeam && actor.teamKeys.length > 0) || effectivePolicy(grant) !== undefined,
  );
  return mayMatch && canUpdateSome(actor, blueprint) ? 'depends' : 'never';
}

function describe(grants: readonly Grant[], names: ReadonlyMap<string, string>): OwnRight['needs'] {
  const distinct = (lists: readonly string[]) => [...new Set(lists)].sort();
  return {
    roles: distinct(['Admin', ...grants.flatMap(({ roles = [] }) => roles)]),
    teams: distinct(grants.flatMap(({ teams = [] }) => teams.flatMap((team) => names.get(team) ?? []))),
    people: grants.some(({ users = [] }) => users.length > 0),
    ownedByTeam: grants.some(({ ownedByTeam }) => ownedByTeam === true),
    policy: grants.some((grant) => effectivePolicy(grant) !== undefined),
  };
}
