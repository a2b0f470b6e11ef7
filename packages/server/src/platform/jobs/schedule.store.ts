import sql from 'sql-template-tag';
import type { Tx } from '../db/database.ts';
import { fields, row } from '../db/row.ts';

export interface Schedule {
  readonly name: string;
  readonly everyMs: number;
}

/** Registers schedules: new ones are first due after one interval, and a shorter interval applies at once. */
export async function upsertSchedules(tx: Tx, schedules: readonly Schedule[], now: Date): Promise<void> {
  for (const { name, everyMs } of schedules) {
    const next = new Date(now.getTime() + everyMs);
    await tx.execute(sql`
      insert into job_schedules (name, next_run_at) values (${name}, ${next})
      on conflict (name) do update set next_run_at = least(job_schedules.next_run_at, excluded.next_run_at)`);
  }
}

const jobScheduleRow = row(fields('job_schedules', 'name', 'next_run_at'));

/**
 * Claims due schedules and moves each to its next moment, so that no other replica takes the same interval. Missed
 * intervals count as one.
 */
export async function claimSchedules(tx: Tx, schedules: readonly Schedule[], now: Date): Promise<readonly Schedule[]> {
  const due = await tx.rows(jobScheduleRow.sql`
    select name, next_run_at as "nextRunAt" from job_schedules
    where name = any(${schedules.map((each) => each.name)}::text[]) and next_run_at <= ${now}
    order by name for update skip locked`);
  const taken: Schedule[] = [];
  for (const { name, nextRunAt } of due) {
    const schedule = schedules.find((each) => each.name === name);
    if (!schedule) continue;
    const passed = Math.floor((now.getTime() - nextRunAt.getTime()) / schedule.everyMs) + 1;
    const next = new Date(nextRunAt.getTime() + passed * schedule.everyMs);
    await tx.execute(sql`update job_schedules set next_run_at = ${next} where name = ${name}`);
    taken.push(schedule);
  }
  return taken;
}
