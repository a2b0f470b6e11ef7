import sql, { type Sql } from 'sql-template-tag';
import type { Database } from '../../platform/db/database.ts';
import { idleMs } from './sessions/session-times.ts';

/** Deletes what has ended or whose user is gone, table by table. */
export async function deleteEnded(database: Database, now: Date): Promise<void> {
  for (const statement of removals(now)) await database.executeAlone(statement);
}

function removals(now: Date): Sql[] {
  const seenAfter = new Date(now.getTime() - idleMs);
  return [
    sql`delete from sessions s /* all organizations */ where s.expires_at <= ${now} or s.last_seen_at <= ${seenAfter}
      or not exists (select 1 from users u where u.org_id = s.org_id and u.key = s.user_key and u.status <> 'Disabled')`,
    sql`delete from sso_attempts /* all organizations */ where expires_at <= ${now}`,
    sql`delete from password_links l /* all organizations */ where l.expires_at <= ${now}
      or not exists (select 1 from users u where u.org_id = l.org_id and u.key = l.user_key)`,
    sql`delete from user_passwords p /* all organizations */
      where not exists (select 1 from users u where u.org_id = p.org_id and u.key = p.user_key)`,
    sql`delete from sso_subjects s /* all organizations */
      where not exists (select 1 from users u where u.org_id = s.org_id and u.key = s.user_key)`,
  ];
}
