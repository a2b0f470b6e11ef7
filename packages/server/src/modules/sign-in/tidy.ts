import sql, { type Sql } from 'sql-template-tag';
import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { defineJob } from '../../platform/jobs/job.ts';
import { idleMs } from './sessions/session-times.ts';

const hourMs = 60 * 60 * 1000;

/** Removes what has ended. None of it works any more, so running twice, late or not at all changes nothing else. */
export function tidySignIns({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
  return defineJob({
    name: 'sign-in.remove-ended',
    input: z.object({}),
    attempts: 3,
    timeoutMs: 60_000,
    everyMs: hourMs,
    run: async () => {
      for (const statement of removals(clock.now())) await database.executeAlone(statement);
    },
  });
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
