import { operations } from '@portolan/contract/operations';
import { requiredScope } from '@portolan/contract/scopes';

/**
 * What somebody may do: for each privilege the scopes under which they may use it. An administrator's token that is
 * restricted to `update:users` holds `Admin` under that scope and nothing else.
 *
 * Privileges are `Admin`, `Member`, `moderator:<blueprint>`, `person:<address>` (to act as them), and rights that somebody
 * was given by name, role or team: `entities:<blueprint>:<right>`, `action:<identifier>:<right>`, `page:<identifier>:<right>`.
 */
export type Authority = ReadonlyMap<string, ReadonlySet<string>>;

export const nothing: Authority = new Map();

/** Every scope that some operation asks for. */
export const everyScope: readonly string[] = [
  ...new Set(operations.flatMap((operation) => requiredScope(operation) ?? [])),
].sort();

/** The scopes that a stored restriction allows; without one, all. */
function scopesWithin(restriction: readonly string[] | null | undefined): ReadonlySet<string> {
  if (!restriction) return new Set(everyScope);
  return new Set(
    everyScope.filter((scope) =>
      ['*', scope, `${scope.split(':')[0]}:*`].some((granted) => restriction.includes(granted)),
    ),
  );
}

/** What a credential may do that has these privileges and is restricted like this. */
export function buildAuthority(
  privileges: readonly string[],
  restriction: readonly string[] | null | undefined = null,
): Authority {
  const scopes = scopesWithin(restriction);
  return new Map(privileges.map((privilege) => [privilege, scopes]));
}

/** What both may do together. */
export function join(...parts: readonly Authority[]): Authority {
  const joined = new Map<string, Set<string>>();
  for (const part of parts) {
    for (const [privilege, scopes] of part)
      joined.set(privilege, new Set([...(joined.get(privilege) ?? []), ...scopes]));
  }
  return joined;
}

/** What of it is left under these scopes. */
export function restrict(authority: Authority, restriction: readonly string[] | null): Authority {
  const scopes = scopesWithin(restriction);
  return new Map(
    [...authority].map(([privilege, held]) => [privilege, new Set([...held].filter((scope) => scopes.has(scope)))]),
  );
}

/** Whether a privilege may be used under a scope. Administrators may everything, moderators everything in their blueprint. */
export function covers(holder: Authority, privilege: string, scope: string): boolean {
  const [kind, blueprint] = privilege.split(':');
  const enough = ['Admin', privilege, ...(kind === 'entities' ? [`moderator:${blueprint}`] : [])];
  return enough.some((each) => holder.get(each)?.has(scope));
}

/** What of `found` goes beyond `allowed`, in words, the greatest first; empty if nothing does: the order of the lattice. */
export function findExcess(found: Authority, allowed: Authority): string[] {
  const greatestFirst = [...found].sort(([, one], [, other]) => other.size - one.size);
  return greatestFirst.flatMap(([privilege, scopes]) => {
    const beyond = [...scopes].filter((scope) => !covers(allowed, privilege, scope));
    if (beyond.length === 0) return [];
    const more = beyond.length > 3 ? ` and ${beyond.length - 3} more scopes` : '';
    return [`${privilege} under ${beyond.slice(0, 3).join(', ')}${more}`];
  });
}
