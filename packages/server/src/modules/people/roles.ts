import type { Issue } from '@portolan/contract/errors';

export interface Standing {
  readonly role: 'Admin' | 'Moderator' | 'Member';
  readonly moderatedBlueprints: readonly string[];
}

/**
 * Reads `Admin`, `Member` and `<blueprint>-moderator` (users-and-teams §2.3 R0, §5.1): the highest counts, any number of
 * blueprints may be moderated, and the ending is matched in any case. A blueprint that does not exist is an issue.
 */
export function readRoles(
  roles: readonly string[],
  blueprints: readonly string[],
  path: string,
): { readonly standing: Standing; readonly issues: readonly Issue[] } {
  const issues: Issue[] = [];
  const moderated = new Set<string>();
  let isAdmin = false;
  for (const [index, role] of roles.entries()) {
    const at = `${path}/${index}`;
    if (role.toLowerCase() === 'admin') isAdmin = true;
    else if (role.toLowerCase().endsWith('-moderator')) {
      const named = role.slice(0, -'-moderator'.length);
      const blueprint =
        blueprints.find((each) => each === named) ??
        blueprints.find((each) => each.toLowerCase() === named.toLowerCase());
      if (blueprint === undefined)
        issues.push({ path: at, message: `names the blueprint "${named}", which does not exist` });
      else moderated.add(blueprint);
    } else if (role.toLowerCase() !== 'member') {
      issues.push({ path: at, message: 'must be Admin, Member or <blueprint>-moderator' });
    }
  }
  if (isAdmin) return { standing: { role: 'Admin', moderatedBlueprints: [] }, issues };
  const moderatedBlueprints = [...moderated].sort();
  return { standing: { role: moderated.size > 0 ? 'Moderator' : 'Member', moderatedBlueprints }, issues };
}
