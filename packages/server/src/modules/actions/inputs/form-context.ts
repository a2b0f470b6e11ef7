import { type Actor, systemActor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { findPersonFacts } from '../../accounts/index.ts';
import { getEntity, noteEntityTexts, presentEntity } from '../../entities/index.ts';
import type { ActionsDeps } from '../actions.deps.ts';

type PresentedValues = Readonly<Record<string, unknown>>;
type Deps = Pick<ActionsDeps, 'catalog' | 'database'>;

/**
 * The person as form expressions read them (catalog semantics §4.3): address, name, roles, teams, and the whole `_user`
 * entity if users are blueprints. Machines have only client id and roles.
 */
export async function userContext(deps: Deps, actor: Actor): Promise<PresentedValues> {
  const { database } = deps;
  const facts = actor.userId === undefined ? undefined : await findPersonFacts(database, actor.orgId, actor.userId);
  const roles = actor.roles.map((name) => ({ name }));
  if (!facts)
    return { userId: actor.id, email: null, name: actor.id, mainRole: actor.roles[0] ?? null, roles, teams: [] };
  const entity =
    actor.model === 'legacy'
      ? { team: facts.teams.map(({ title }) => title) }
      : await entityContext(deps, readingFor(actor), '_user', facts.identifier);
  return {
    ...entity,
    userId: facts.key,
    email: facts.identifier,
    name: facts.title,
    picture: null,
    mainRole: facts.role,
    roles,
    teams: facts.teams.map(({ title }) => ({ name: title, provider: null })),
    ...(actor.model === 'legacy' ? {} : { teamsIdentifiers: facts.teams.map(({ identifier }) => identifier) }),
  };
}

/** Reads what the actor may not read, on their behalf. */
function readingFor({ orgId, model, textsRead }: Actor): Actor {
  return { ...systemActor(orgId, model), ...(textsRead ? { textsRead } : {}) };
}

/** An entity for expressions, and its authors noted for the reader; undefined if missing or unreadable. */
export async function entityContext(
  { catalog }: Pick<Deps, 'catalog'>,
  reader: Actor,
  blueprint: string,
  identifier: string,
): Promise<PresentedValues | undefined> {
  try {
    const found = await getEntity(catalog, reader, blueprint, identifier);
    await noteEntityTexts(catalog.database, reader, [found.blueprint], [found.entity]);
    return presentEntity(found.entity, found.blueprint);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}
