import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../../platform/actor.ts';
import { type Authority, actorAuthority, coversAuthority } from '../../../platform/authority.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { lockPerson } from '../people.store.ts';
import type { Person, PersonState } from '../person.types.ts';
import { toRoles } from '../user-actor.ts';
import { carryingTeams, rightsOfAddress } from './carried-rights.ts';
import { everything, type Gain, type Permitted, permit } from './permit.ts';

/** What a new user may be without further rights: a staged member. */
const newcomer = { status: 'Staged', role: 'Member', type: 'Standard', moderatedBlueprints: [] as readonly string[] };

/** Fields for administrators alone, by wire name. */
const standing = {
  status: 'status',
  role: 'port_role',
  type: 'port_type',
  moderatedBlueprints: 'moderated_blueprints',
} as const;

/**
 * A user as it is to be written, if the author holds what it gives. Admitting a plain member, and taking away, needs no
 * more than the right to write users; a role, a team that carries rights, or an address that a grant names already needs
 * what they give. Whoever was disabled has nothing until enabled.
 * @throws AppError `insufficient_scope`, `missing_permissions`
 */
export async function permitPerson(
  { tx, actor }: Pick<Work, 'tx' | 'actor'>,
  after: Person,
): Promise<Permitted<Person>> {
  // unrestricted administrators may do anything: skip the look-ups
  const held = actorAuthority(actor);
  if (coversAuthority(held, everything)) return permit(held, after, []);
  const stored = await lockPerson(tx, actor.orgId, after.identifier);
  const before = stored && { ...stored, teamKeys: stored.teamRefs };
  const gains = [
    ...standingGains(before, after),
    ...roleGains(before, after),
    ...(await teamGains(tx, actor, before, after)),
    ...(await addressGains(tx, actor, before, after)),
  ];
  return permit(held, after, gains);
}

/**
 * Changing status, role or type takes an administrator, or a token with the scope for users; a scope for entities is
 * not enough.
 */
function standingGains(before: Person | undefined, after: Person): Gain[] {
  const keys = Object.keys(standing) as (keyof typeof standing)[];
  const changed = keys.filter((key) => !isDeepStrictEqual((before ?? newcomer)[key], after[key]));
  return changed.map((key) => ({
    change: `setting ${standing[key]} of "${after.identifier}"`,
    authority: { roles: ['Admin'], teamKeys: [], scopes: [before ? 'update:users' : 'create:users'] },
    path: `/properties/${standing[key]}`,
  }));
}

function roleGains(before: Person | undefined, after: Person): Gain[] {
  const had: Authority = { roles: before ? rolesIn(before) : [], teamKeys: [] };
  // being a member is implied by admitting somebody
  const gained = rolesIn(after).filter(
    (role) => role !== 'Member' && !coversAuthority(had, { roles: [role], teamKeys: [] }),
  );
  return gained.map((role) => ({
    change:
      role === 'Admin'
        ? `making "${after.identifier}" an administrator`
        : `giving "${after.identifier}" the role ${role}`,
    authority: { roles: ['Admin'], teamKeys: [] },
    path: `/properties/${role === 'Admin' ? standing.role : standing.moderatedBlueprints}`,
  }));
}

async function teamGains(reader: Work['tx'], actor: Actor, before: Person | undefined, after: Person): Promise<Gain[]> {
  const had = before && canAct(before) ? before.teamKeys : [];
  const gained = canAct(after) ? after.teamKeys.filter((key) => !had.includes(key)) : [];
  const carrying = await carryingTeams(reader, actor.orgId, gained);
  // an author who gave rights to a provider's team gave them to whomever the provider puts in it
  const own = actor.provisioner ? carrying.filter(({ isProvided }) => !isProvided) : carrying;
  return own.map(({ key, title, scopes }) => ({
    change: `putting "${after.identifier}" into the team "${title}", which has rights,`,
    authority: { roles: ['Member'], teamKeys: [key], scopes },
    path: '/team',
  }));
}

/** Grants may name addresses before there is such a user. */
async function addressGains(
  reader: Work['tx'],
  actor: Actor,
  before: Person | undefined,
  after: Person,
): Promise<Gain[]> {
  if (!canAct(after) || (before && canAct(before))) return [];
  const scopes = await rightsOfAddress(reader, actor.orgId, after.identifier);
  if (scopes.length === 0) return [];
  const change = `admitting "${after.identifier}", who is named in rights already,`;
  return [{ change, authority: { roles: ['Admin'], teamKeys: [], scopes } }];
}

/** Anyone not disabled can sign in, by link or identity provider, whatever the status. */
function canAct({ status }: PersonState): boolean {
  return status !== 'Disabled';
}

function rolesIn(person: PersonState): string[] {
  return canAct(person) ? toRoles(person.role, person.moderatedBlueprints) : [];
}
