import { type Authority, actorAuthority, coversAuthority } from '../../../platform/authority.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { lockTeam } from '../people.store.ts';
import type { NamedTeam } from '../person.types.ts';
import { carryingTeams } from './carried-rights.ts';
import { everything, type Permitted, permit } from './permit.ts';

type TeamQuestion = Pick<Work, 'tx' | 'actor'>;

/**
 * Permits a team's new state; `from` is its current identifier. Groups of the identity provider match teams by name, so
 * renaming a team that carries rights can decide its members.
 * @throws AppError `insufficient_scope`, `missing_permissions`
 */
export async function permitTeam(
  work: TeamQuestion,
  team: NamedTeam,
  from: string = team.identifier,
): Promise<Permitted<NamedTeam>> {
  const held = actorAuthority(work.actor);
  if (coversAuthority(held, everything)) return permit(held, team, []);
  const before = await lockTeam(work.tx, work.actor.orgId, from);
  const isRenamed = before && (before.title !== team.title || before.identifier !== team.identifier);
  return isRenamed
    ? permitForTeam(work, held, team, before.key, (title) => `renaming the team "${title}", which has rights,`)
    : permit(held, team, []);
}

/**
 * Permits binding a team to the identity provider, which then decides its members.
 * @throws AppError `insufficient_scope`, `missing_permissions`
 */
export function permitBinding<T>(work: TeamQuestion, binding: T, key: string): Promise<Permitted<T>> {
  const what = (title: string) => `leaving to the identity provider who is in the team "${title}", which has rights,`;
  return permitForTeam(work, actorAuthority(work.actor), binding, key, what);
}

async function permitForTeam<T>(
  { tx, actor }: TeamQuestion,
  held: Authority,
  value: T,
  key: string,
  what: (title: string) => string,
): Promise<Permitted<T>> {
  const carrying = await carryingTeams(tx, actor.orgId, [key]);
  const gains = carrying.map(({ title, scopes }) => ({
    change: what(title),
    authority: { roles: ['Member'], teamKeys: [key], scopes },
  }));
  return permit(held, value, gains);
}
