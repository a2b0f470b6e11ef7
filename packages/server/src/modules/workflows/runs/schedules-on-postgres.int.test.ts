import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { createTestApp } from '../../../../test/build-test-app.ts';
import { createWorkflowWorld } from '../../../../test/workflow-world.ts';

test('schedules that are being changed hold up no other, and start once they are done with', async () => {
  const app = await createTestApp();
  try {
    const { workflow } = createWorkflowWorld(app);
    const ticking = () =>
      workflow([
        { identifier: 'tick', config: { type: 'SCHEDULE_TRIGGER', cron: '0 * * * *' } },
        { identifier: 'keep', config: { type: 'TRANSFORM', value: '{{ .outputs.trigger }}' } },
      ]);
    const held: string[] = [];
    for (let count = 0; count < 10; count += 1) held.push(await ticking());
    const free = await ticking();
    const starts = async (flow: string) =>
      (await app.request('GET', `/v1/workflows/runs?workflow=${flow}`)).body.runs.length;

    const tick = () => {
      app.clock.advance(1_000);
      return app.app.jobs.drain();
    };
    await tick();
    await app.database.executeAlone(sql`
      update workflow_triggers set next_run_at = ${app.clock.now()} where org_id = ${app.organization.id}`);

    const changing = await app.database.engine.connect('writes');
    await changing.query('begin');
    await changing.query(
      'select 1 from workflows where org_id = $1 and identifier = any($2::text[]) for no key update',
      [app.organization.id, held.slice(0, 5)],
    );
    await changing.query(
      `select 1 from workflow_triggers t join workflows w on w.org_id = t.org_id and w.key = t.workflow_key
        where t.org_id = $1 and w.identifier = any($2::text[]) for update of t`,
      [app.organization.id, held.slice(5)],
    );
    const sinceMs = performance.now();
    try {
      await tick();
    } finally {
      await changing.query('rollback');
      changing.release(false);
    }
    expect([await starts(free), performance.now() - sinceMs < 5_000]).toEqual([1, true]);
    for (const flow of held) expect(await starts(flow)).toBe(0);
    await tick();
    for (const flow of held) expect(await starts(flow)).toBe(1);
  } finally {
    await app.close();
  }
});
