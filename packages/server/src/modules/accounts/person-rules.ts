import type { Actor } from '../../platform/actor.ts';
import { AppError, invalidRequest } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { findOrganization, seatLimit } from '../organizations/index.ts';
import { nameKey } from './name-key.ts';
import { countSeats, findAddresses, listAdministrators, lockPeople } from './people.store.ts';
import type { PersonState } from './person.types.ts';

/** Checks one change of a user; undefined before means created, undefined after means removed. @throws AppError */
export type JudgePerson = (before: PersonState | undefined, after: PersonState | undefined) => Promise<void>;

/**
 * Checks the rules of users (users-and-teams §1.6, §1.7, decision 0021) for changes of one transaction in order, each
 * as if the earlier ones were written. For the platform's own writes only addresses must be unique.
 */
export async function personRules(
  work: Work,
  addresses: readonly string[],
  accountDomains: readonly string[],
): Promise<JudgePerson> {
  const { tx, actor } = work;
  const found = addresses.length === 0 ? [] : await findAddresses(tx, actor.orgId, addresses.map(nameKey));
  const taken = new Map(found.map(({ addressKey, identifier }) => [addressKey, identifier]));
  const managed = new Set(found.filter(({ managedBy }) => managedBy !== null).map(({ identifier }) => identifier));
  const keepAdministrator = requireAdministrator(work);
  const takeSeat = seatTaker(work);
  return async (before, after) => {
    if (!before && after) {
      const other = taken.get(nameKey(after.identifier));
      if (other !== undefined) throw addressTaken(after.identifier, other);
    }
    if (actor.kind !== 'system') {
      if (before && after) keepStanding(actor, before, after);
      if (before && after && managed.has(before.identifier)) keepManaged(actor, before, after);
      if (after) checkAccount(before, after, accountDomains);
      await keepAdministrator(before, after);
      await takeSeat(before, after);
    }
    if (!before && after) taken.set(nameKey(after.identifier), after.identifier);
  };
}

/** The identity provider manages names of provisioned people, not roles or teams (users-and-teams §1.8). */
function keepManaged(actor: Actor, before: PersonState, after: PersonState): void {
  if (actor.provisioner || before.title === after.title) return;
  const message = `The name of "${before.identifier}" is managed over SCIM; change it at the identity provider`;
  throw new AppError('SCIM_CONFLICT', message, { details: [{ path: '/title', message: 'is managed over SCIM' }] });
}

function addressTaken(identifier: string, other: string): AppError {
  return new AppError('identifier_taken', `The address "${identifier}" is taken by the user "${other}"`, {
    details: [{ path: '/identifier', message: `is taken by "${other}"` }],
  });
}

/** The type of an account never changes, and nobody changes their own status. */
function keepStanding(actor: Actor, before: PersonState, after: PersonState): void {
  if (before.type !== after.type) {
    throw new AppError('managed_field', 'The type of a user is set when it is created', {
      details: [{ path: '/properties/port_type', message: 'cannot be changed' }],
    });
  }
  if (before.status !== after.status && actor.userId === before.identifier) {
    throw new AppError('missing_permissions', 'Nobody can change their own status; ask another administrator', {
      details: [{ path: '/properties/status', message: 'is your own' }],
    });
  }
}

/** A service account's address is in a domain for them, and its status is active or disabled. */
function checkAccount(before: PersonState | undefined, after: PersonState, domains: readonly string[]): void {
  if (after.type !== 'Service Account') return;
  const domain = after.identifier.slice(after.identifier.lastIndexOf('@') + 1).toLowerCase();
  const issues = [
    ...(before || (after.identifier.includes('@') && domains.includes(domain))
      ? []
      : [{ path: '/identifier', message: `of a service account must be an address of ${domains.join(' or ')}` }]),
    ...(after.status === 'Active' || (before && after.status === 'Disabled')
      ? []
      : [
          {
            path: '/properties/status',
            message: before
              ? 'of a service account must be Active or Disabled'
              : 'of a new service account must be Active',
          },
        ]),
  ];
  if (issues.length > 0) throw invalidRequest(issues, `The service account "${after.identifier}"`);
}

function administers(person: PersonState | undefined): boolean {
  return person?.role === 'Admin' && person.type === 'Standard' && person.status !== 'Disabled';
}

/** Refuses to remove the last active administrator, or the last at all. */
function requireAdministrator({ tx, actor }: Work): JudgePerson {
  let left: Map<string, string> | undefined;
  return async (before, after) => {
    const isLosing =
      administers(before) && (!administers(after) || (before?.status === 'Active' && after?.status !== 'Active'));
    if (isLosing && before) {
      if (!left) {
        await lockPeople(tx, actor.orgId);
        left = new Map((await listAdministrators(tx, actor.orgId)).map((each) => [each.identifier, each.status]));
      }
      const others = new Map(left);
      others.delete(before.identifier);
      if (after && administers(after)) others.set(after.identifier, after.status);
      const hasActive = [...others.values()].includes('Active');
      if (others.size === 0 || (before.status === 'Active' && !hasActive)) throw lastAdministrator(before.identifier);
      left = others;
    } else if (left && after && administers(after)) left.set(after.identifier, after.status);
  };
}

function lastAdministrator(identifier: string): AppError {
  const message = `"${identifier}" is the last administrator who can sign in; make somebody else one first`;
  return new AppError('last_administrator', message, { details: { user: identifier } });
}

function takesSeat(person: PersonState | undefined): boolean {
  return person?.type === 'Standard' && (person.status === 'Active' || person.status === 'Invited');
}

function seatTaker({ tx, actor }: Work): JudgePerson {
  let free: number | undefined;
  let max = 0;
  return async (before, after) => {
    if (!takesSeat(after) || takesSeat(before)) return;
    if (free === undefined) {
      const organization = await findOrganization(tx, actor.orgId);
      max = organization ? seatLimit(organization) : 0;
      // without a limit nothing needs counting
      if (Number.isFinite(max)) await lockPeople(tx, actor.orgId);
      free = Number.isFinite(max) ? max - (await countSeats(tx, actor.orgId)) : max;
    }
    if (free <= 0) {
      const message = `All ${max} seats of the organization are taken; disable or remove a user, or ask the operator for more`;
      throw new AppError('user_limit_reached', message, { details: { limit: max } });
    }
    free -= 1;
  };
}
