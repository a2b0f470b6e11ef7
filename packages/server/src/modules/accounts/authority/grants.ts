import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../../platform/actor.ts';
import { actorAuthority } from '../../../platform/authority.ts';
import {
  effectivePolicy,
  type Grant,
  type GrantName,
  type ProtectedBlueprint,
  storedGrants,
} from '../../rights/index.ts';
import { type Gain, type Permitted, permit } from './permit.ts';

/** A grant before and after a change, and the scopes of what it grants. */
export interface GrantChange {
  readonly before: Grant;
  readonly after: Grant;
  /** A noun phrase: `updating entities of "service"`. */
  readonly what: string;
  readonly scopes: readonly string[];
  /** Set if the policy narrows the lists: changing or removing it may then give rights. */
  readonly isNarrowed?: boolean;
}

/**
 * Permits rights if the author holds whatever the change adds. Removing is always allowed.
 * @throws AppError `insufficient_scope`, `missing_permissions`
 */
export function permitGrants<T>(actor: Actor, rights: T, changes: readonly GrantChange[]): Permitted<T> {
  const gains = changes.filter(isGiving).map(
    ({ what, scopes }): Gain => ({
      change: `giving others the right to ${what}`,
      authority: { roles: ['Admin'], teamKeys: [], scopes },
    }),
  );
  return permit(actorAuthority(actor), rights, gains);
}

/** The same for rights on entities of a blueprint. @throws AppError as `permitGrants` */
export function permitEntityRights<T extends NonNullable<ProtectedBlueprint['rights']>>(
  actor: Actor,
  blueprint: ProtectedBlueprint,
  rights: T,
): Permitted<T> {
  const { identifier } = blueprint;
  const before = new Map(storedGrants(blueprint).map(({ name, grant }) => [name, grant]));
  const fallback = grantsByDefault(identifier);
  const changes = storedGrants({ identifier, rights }).map(({ name, grant }): GrantChange => {
    const verb = grantVerb(name);
    const current = before.get(name) ?? fallback.get(verb) ?? {};
    return { before: current, after: grant, what: `${verb} entities of "${identifier}"`, scopes: entityScopes(name) };
  });
  return permitGrants(actor, rights, changes);
}

/** Scopes of a grant on entities: a right to write includes reading. */
export function entityScopes(name: GrantName): string[] {
  const verb = grantVerb(name);
  if (verb === 'read') return ['read:entities'];
  return [
    { register: 'create:entities', update: 'update:entities', unregister: 'delete:entities' }[verb],
    'read:entities',
  ];
}

/** Scopes of grants on other things. */
export const grantedScopes = {
  execute: ['execute:actions'],
  approve: ['update:runs'],
  readPage: ['read:pages'],
  updatePage: ['read:pages', 'update:pages'],
  useServer: ['invoke:ai'],
} as const satisfies Record<string, readonly string[]>;

/** Whether somebody may have the grant after the change and not before. */
function isGiving({ before, after, isNarrowed }: GrantChange): boolean {
  const isMore = (list: 'roles' | 'users' | 'teams'): boolean =>
    (after[list] ?? []).some((each) => !before[list]?.includes(each));
  if (isMore('roles') || isMore('users') || isMore('teams')) return true;
  if (after.ownedByTeam && !before.ownedByTeam) return true;
  if (isNarrowed) return !isDeepStrictEqual(before.policy, after.policy);
  const policy = effectivePolicy(after);
  return policy !== undefined && !isDeepStrictEqual(policy, effectivePolicy(before));
}

function grantsByDefault(identifier: string) {
  const defaults = storedGrants({ identifier, rights: {} });
  return new Map(defaults.map(({ name, grant }) => [grantVerb(name), grant]));
}

function grantVerb(name: GrantName): 'read' | 'register' | 'update' | 'unregister' {
  return name.startsWith('update') ? 'update' : (name as 'read' | 'register' | 'unregister');
}
