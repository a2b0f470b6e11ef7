import sql, { type Sql } from 'sql-template-tag';
import type { Database } from '../../platform/db/database.ts';
import { idleMs } from './sessions/session-times.ts';

/** How long a link that does not work any more tells its holder why. */
const tellsMs = 30 * 24 * 60 * 60 * 1000;

/** Deletes what has ended or whose user is gone, table by table. */
export async function deleteEnded(database: Database, now: Date): Promise<void> {
  for (const statement of removals(now)) await database.executeAlone(statement);
}

function removals(now: Date): Sql[] {
  const seenAfter = new Date(now.getTime() - idleMs);
  const tellsUntil = new Date(now.getTime() - tellsMs);
  return [
    sql`delete from sessions s /* all organizations */ where s.expires_at <= ${now} or s.last_seen_at <= ${seenAfter}
      or not exists (select 1 from users u where u.org_id = s.org_id and u.key = s.user_key and u.status <> 'Disabled')`,
    sql`delete from sso_attempts /* all organizations */ where expires_at <= ${now}`,
    sql`delete from password_links /* all organizations */ where expires_at <= ${tellsUntil}`,
    sql`delete from invitations i /* all organizations */
      where not exists (select 1 from users u where u.org_id = i.org_id and u.key = i.user_key)`,
    sql`delete from user_passwords p /* all organizations */
      where not exists (select 1 from users u where u.org_id = p.org_id and u.key = p.user_key)`,
    sql`delete from sso_subjects s /* all organizations */
      where not exists (select 1 from users u where u.org_id = s.org_id and u.key = s.user_key)`,
  ];
}
