import type { JqValue } from '@portolan/jq';
import type { Actor } from '../../platform/actor.ts';
import { findTeamsByKey, findUser } from '../accounts/index.ts';
import { findBlueprint } from '../blueprints/index.ts';
import type { ReadDeps } from '../entities/index.ts';
import { toSql } from '../entity-query/index.ts';
import { findEntity, teamForm } from '../entity-rows/index.ts';
import { shownToPolicies } from './policy-entities.ts';

/**
 * The caller as policies of actions see people (users-and-teams §1.2, §5.3): the whole `_user` entity where there is
 * one, and in every model the address, the names and identifiers of the teams, and the role. A machine has no address.
 */
export async function policyUser(deps: ReadDeps, actor: Actor): Promise<JqValue> {
  const { orgId, model, userId } = actor;
  const teams = await findTeamsByKey(deps.database, orgId, actor.teamKeys);
  const own = {
    identifier: actor.id,
    email: userId ?? null,
    team: teams.map((team) => team[teamForm(model)]),
    teams: teams.map(({ identifier, title }) => ({ identifier, name: title })),
    teamsIdentifiers: teams.map(({ identifier }) => identifier),
    roles: [...actor.roles],
  };
  const user = userId === undefined ? undefined : await findUser(deps.database, orgId, userId);
  if (!user) return { ...own, properties: {}, relations: {} };
  const [firstName = '', ...names] = (user.title ?? '').split(' ');
  const entity = await userEntity(deps, actor, user.identifier);
  const plain = { status: user.status, port_role: user.role, port_type: user.type };
  return {
    properties: { ...plain, moderated_blueprints: [...user.moderatedBlueprints] },
    relations: {},
    ...entity,
    ...own,
    title: user.title,
    firstName,
    lastName: names.join(' '),
    status: user.status,
  };
}

async function userEntity(deps: ReadDeps, actor: Actor, identifier: string): Promise<Record<string, JqValue>> {
  const blueprint = await findBlueprint(deps.database, actor.orgId, '_user');
  if (!blueprint) return {};
  const where = { orgId: actor.orgId, blueprintKey: blueprint.key, identifier };
  const entity = await findEntity(deps.database, where, teamForm(actor.model), toSql(true));
  const [shown] = entity ? await shownToPolicies(deps, actor, [entity]) : [];
  return (shown ?? {}) as Record<string, JqValue>;
}
