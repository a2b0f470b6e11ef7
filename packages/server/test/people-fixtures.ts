import { unchanged } from '../src/modules/accounts/authority/permit.ts';
import { nameKey } from '../src/modules/accounts/name-key.ts';
import { setMemberships, upsertTeam, upsertUser } from '../src/modules/accounts/people.store.ts';
import type { Database } from '../src/platform/db/database.ts';

/** A person of a test; teams by identifier. */
export interface TestPerson {
  readonly identifier: string;
  readonly title: string;
  readonly role: 'Admin' | 'Moderator' | 'Member';
  readonly moderatedBlueprints?: readonly string[];
  readonly teams?: readonly string[];
}

/** Writes teams and people below the API, since before the migration they are no entities. A team is `The <identifier>`. */
export async function seedPeople(
  database: Database,
  orgId: string,
  teams: readonly string[],
  people: readonly TestPerson[],
): Promise<void> {
  const at = new Date(0);
  await database.transaction(async (tx) => {
    for (const name of teams) {
      const team = unchanged({ identifier: name, title: `The ${name}`, description: null });
      await upsertTeam(tx, team, { orgId, key: `t_${name}`, nameKey: nameKey(team.title), at });
    }
    for (const [index, { identifier, title, role, moderatedBlueprints = [], teams: own = [] }] of people.entries()) {
      const teamKeys = own.map((name) => `t_${name}`);
      const standing = { status: 'Active', type: 'Standard', role, moderatedBlueprints };
      const user = unchanged({ identifier, title, ...standing, teamKeys });
      const row = { orgId, key: `u_${index}`, addressKey: nameKey(identifier), at };
      await setMemberships(tx, orgId, await upsertUser(tx, user, row), user);
    }
  });
}
