import { type Actor, isAdmin } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { outside, writtenBy } from '../../platform/text-authors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { holdTeams } from '../organizations/index.ts';
import type { Permitted } from './authority/permit.ts';
import { nameKey } from './name-key.ts';
import {
  deleteTeamRows,
  findProvidedTeams,
  findTeamsByIdentifier,
  lockTeam,
  renameTeamRow,
  type TeamState,
  upsertTeam,
} from './people.store.ts';
import type { NamedTeam } from './person.types.ts';
import { retryOnConflict } from './put-person.ts';

/**
 * Creates or changes a team; its key stays. `permitTeam` and `teamRules` decide whether it may be.
 * @throws AppError `managed_field`
 */
export async function putTeam(work: Work, team: Permitted<NamedTeam>): Promise<void> {
  const { tx, actor, now } = work;
  await holdTeams(work);
  const { identifier, title, description } = team;
  const before = await lockTeam(tx, actor.orgId, identifier);
  if (before && before.title !== title) await permitRename(work, before);
  await retryOnConflict('teams_name_key', () =>
    upsertTeam(tx, team, { orgId: actor.orgId, key: newId('t_'), nameKey: nameKey(title), at: now }),
  );
  work.record({
    event: before ? 'team.updated' : 'team.created',
    action: before ? 'UPDATE' : 'CREATE',
    resourceType: 'team',
    identifier,
    context: {},
    ...(before ? { before: recorded(before) } : {}),
    after: { identifier, title, description },
  });
}

/** The team keeps its key, so memberships and references stay. @throws AppError `managed_field` */
export async function renameTeam(work: Work, from: string, to: Permitted<NamedTeam>): Promise<void> {
  const { tx, actor } = work;
  await holdTeams(work);
  const before = await lockTeam(tx, actor.orgId, from);
  if (before) await permitRename(work, before);
  await renameTeamRow(tx, actor.orgId, from, to);
}

/**
 * Models are shown names of teams of the identity provider as trusted (decision 0215), so only the provider and
 * administrators in their own name change them. @throws AppError `managed_field`
 */
async function permitRename({ tx, actor }: Work, { key, title }: Pick<TeamState, 'key' | 'title'>): Promise<void> {
  if (mayRenameAny(actor)) return;
  const provided = await findProvidedTeams(tx, actor.orgId, [key]);
  if (provided.length === 0) return;
  const message = `The name of the team "${title}" comes from the identity provider; an administrator may change it`;
  throw new AppError('managed_field', message);
}

function mayRenameAny(actor: Actor): boolean {
  if (actor.provisioner || actor.kind === 'system') return true;
  return isAdmin(actor) && !writtenBy(actor).includes(outside);
}

/** For a team that is to be called or identified otherwise. @throws AppError `managed_field` */
export async function permitTeamRename(work: Work, identifier: string): Promise<void> {
  // most bulk writes are such, and need no look at each team
  if (mayRenameAny(work.actor)) return;
  const [team] = await findTeamsByIdentifier(work.tx, work.actor.orgId, [identifier]);
  if (team) await permitRename(work, team);
}

/** Removes teams with memberships and returns their keys, whose references the caller must remove. */
export async function removeTeams(work: Work, identifiers: readonly string[]): Promise<string[]> {
  if (identifiers.length > 0) await holdTeams(work);
  const gone = await deleteTeamRows(work.tx, work.actor.orgId, identifiers);
  for (const team of gone) {
    work.record({
      event: 'team.deleted',
      action: 'DELETE',
      resourceType: 'team',
      identifier: team.identifier,
      context: {},
      before: recorded(team),
    });
  }
  return gone.map(({ key }) => key);
}

function recorded({ identifier, title, description }: TeamState): Omit<TeamState, 'key'> {
  return { identifier, title, description };
}
