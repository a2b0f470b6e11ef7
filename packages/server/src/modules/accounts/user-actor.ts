import sql from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';

interface Row {
  readonly identifier: string;
  readonly status: string;
  readonly role: string;
  readonly moderatedBlueprints: readonly string[];
  readonly teamKeys: readonly string[];
}

/** The actor of a user, and whether the account is disabled. */
export async function findUserActor(
  reader: Reader,
  { orgId, model }: Pick<Actor, 'orgId' | 'model'>,
  identifier: string,
): Promise<{ readonly actor: Actor; readonly isDisabled: boolean } | undefined> {
  const row = await reader.first<Row>(sql`
    select u.identifier, u.status, u.role, u.moderated_blueprints as "moderatedBlueprints",
      array(select m.team_key from team_members m where m.org_id = u.org_id and m.user_key = u.key) as "teamKeys"
    from users u where u.org_id = ${orgId} and u.identifier = ${identifier}`);
  if (!row) return undefined;
  const actor: Actor = {
    orgId,
    model,
    kind: 'person',
    id: row.identifier,
    userId: row.identifier,
    roles: rolesOf(row.role, row.moderatedBlueprints),
    teamKeys: row.teamKeys,
    datasource: '',
    origin: 'API',
  };
  return { actor, isDisabled: row.status === 'Disabled' };
}

/** A moderator has a member's role too (users-and-teams §5.1). */
export function rolesOf(role: string, moderatedBlueprints: readonly string[]): string[] {
  const moderated = role === 'Moderator' ? moderatedBlueprints : [];
  return [role === 'Admin' ? 'Admin' : 'Member', ...moderated.map((blueprint) => `${blueprint}-moderator`)];
}
