import sql from 'sql-template-tag';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { fillEveryTable } from '../../../test/fill-every-table.ts';

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

afterEach(() => app.close());

const scrape = async (): Promise<string> => (await app.app.http.inject('/metrics')).body;
const linesOf = (text: string, name: string): string[] =>
  text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));

test('an empty installation has nothing waiting, and says so', async () => {
  const text = await scrape();
  expect(linesOf(text, 'portolan_database_up')).toEqual(['portolan_database_up 1']);
  expect(linesOf(text, 'portolan_event_deliveries')).toEqual([
    'portolan_event_deliveries{consumer="automations"} 0',
    'portolan_event_deliveries{consumer="changelog"} 0',
  ]);
  expect(linesOf(text, 'portolan_changelog_failing_seconds')).toEqual(['portolan_changelog_failing_seconds 0']);
  expect(linesOf(text, 'portolan_marks')).toEqual([
    'portolan_marks{kind="derived"} 0',
    'portolan_marks{kind="rule_results"} 0',
  ]);
  expect(linesOf(text, 'portolan_webhook_deliveries')).toEqual(['portolan_webhook_deliveries 0']);
  expect(linesOf(text, 'portolan_sources')).toEqual([]);
});

test('counts jobs by kind and state, and how long the oldest due one has waited', async () => {
  const at = (secondsAgo: number): Date => new Date(app.clock.now().getTime() - secondsAgo * 1000);
  const insert = (id: string, name: string, state: string, secondsAgo: number) =>
    app.database.executeAlone(sql`
      insert into jobs (org_id, id, name, input, state, run_at, attempts_max, created_at)
      values (${app.organization.id}, ${id}, ${name}, '{}', ${state}, ${at(secondsAgo)}, 1, ${at(secondsAgo)})`);
  await app.database.executeAlone(sql`delete from jobs /* all organizations */`);
  await insert('j_1', 'first.kind', 'waiting', 90);
  await insert('j_2', 'first.kind', 'waiting', 10);
  await insert('j_3', 'first.kind', 'waiting', -60);
  await insert('j_4', 'first.kind', 'dead', 900);
  await insert('j_5', 'other.kind', 'running', 5);
  const text = await scrape();
  expect(linesOf(text, 'portolan_jobs').sort()).toEqual([
    'portolan_jobs{name="first.kind",state="dead"} 1',
    'portolan_jobs{name="first.kind",state="due"} 2',
    'portolan_jobs{name="other.kind",state="running"} 1',
  ]);
  expect(linesOf(text, 'portolan_job_due_age_seconds')).toEqual(['portolan_job_due_age_seconds{name="first.kind"} 90']);
});

test('what the tables hold is reported without a label that names an organization or a person', async () => {
  await fillEveryTable(app.database);
  const text = await scrape();
  expect(linesOf(text, 'portolan_changelog_receivers')).toEqual([
    expect.stringMatching(/\{state="working"\} [0-3]$/),
    expect.stringMatching(/\{state="failing"\} [1-3]$/),
  ]);
  expect(linesOf(text, 'portolan_marks')).toEqual([
    'portolan_marks{kind="derived"} 3',
    'portolan_marks{kind="rule_results"} 3',
  ]);
  const [age] = linesOf(text, 'portolan_changelog_failing_seconds');
  expect(Number(age?.split(' ')[1])).toBeGreaterThan(0);
  expect(linesOf(text, 'portolan_sources').length).toBeGreaterThan(0);
  expect(text).not.toContain('org 0');
  expect(text).not.toContain(app.organization.id);
});

test('jobs that ran are counted with how they ended', async () => {
  await app.app.jobs.drain();
  app.clock.advance(60 * 60_000);
  await app.app.jobs.drain();
  const text = await scrape();
  const completed = linesOf(text, 'portolan_job_runs_total').filter((line) => line.includes('outcome="completed"'));
  expect(completed.length).toBeGreaterThan(0);
  expect(linesOf(text, 'portolan_job_start_lag_seconds_count')[0]).not.toBe('portolan_job_start_lag_seconds_count 0');
});

test('what cannot be read is absent, and not claimed to be empty', async () => {
  await app.database.executeAlone(
    sql`alter table derived_marks rename to derived_marks_elsewhere /* all organizations */`,
  );
  const text = await scrape();
  await app.database.executeAlone(
    sql`alter table derived_marks_elsewhere rename to derived_marks /* all organizations */`,
  );
  for (const name of ['portolan_marks', 'portolan_webhook_deliveries', 'portolan_event_deliveries', 'portolan_jobs']) {
    expect(linesOf(text, name)).toEqual([]);
    expect(text).toContain(`# TYPE ${name} gauge`);
  }
});
