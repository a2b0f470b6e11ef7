import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, unique } from '../../../../test/catalog-fixtures.ts';
import {
  body,
  type ChildRunsWorld,
  compute,
  createChildRunsWorld,
  findStep,
  item,
  map,
  step,
  upsertItem,
} from '../../../../test/child-runs-world.ts';
import { approval, form } from '../../../../test/workflow-world.ts';

let app: TestApp;
let world: ChildRunsWorld;
let run: ChildRunsWorld['run'];
let children: ChildRunsWorld['children'];
beforeAll(async () => {
  app = await createTestApp();
  world = createChildRunsWorld(app);
  ({ run, children } = world);
});
afterAll(() => app.close());

describe('MAP', () => {
  test('gives the outputs of its runs in the order of the items', async () => {
    const shown = await run(
      [
        form(),
        map('{{ .outputs.trigger.name / "" }}', body(compute('.outputs.trigger | {letter: .item, index}')), {
          concurrency: 2,
        }),
        step('after', { type: 'TRANSFORM', expression: '.outputs.each.results | map(.letter) | join("-")' }),
      ],
      { name: 'abcdefg' },
    );
    expect(shown, JSON.stringify(shown.nodeRuns)).toMatchObject({ status: 'COMPLETED', result: 'SUCCESS' });
    expect(findStep(shown, 'after')['output']).toBe('a-b-c-d-e-f-g');
    expect(findStep(shown, 'each')).toMatchObject({
      effect: 'ours',
      output: { results: [{ letter: 'a', index: 0 }, {}, {}, {}, {}, {}, { letter: 'g', index: 6 }], failed: [] },
      children: { total: 7, completed: 7, failed: 0 },
    });
    const runs = await children(shown.identifier);
    expect(runs).toHaveLength(7);
    for (const { identifier } of [shown, ...runs]) await world.foldsBack(identifier);
    const listed = await app.request('GET', `/v1/workflows/runs?workflow=${shown.workflow.identifier}`);
    expect(listed.body.runs.map(({ identifier }: { identifier: string }) => identifier)).toEqual([shown.identifier]);
  });

  test('has so many runs open at a time, and no more', async () => {
    const shown = await run([
      form(),
      map([1, 2, 3, 4, 5], body(step('wait', { type: 'DELAY', seconds: 60 })), { concurrency: 2 }),
    ]);
    const begun = async () => {
      const found = await app.database.rows(
        sql`select id from workflow_runs where org_id = ${app.organization.id} and parent_run = ${shown.identifier} and steps > 0`,
      );
      return found.length;
    };
    expect(shown).toMatchObject({ status: 'IN_PROGRESS', waitingFor: 'child', currentNode: 'each' });
    expect(await begun()).toBe(2);
    await world.later(60_000);
    expect(await begun()).toBe(4);
    await world.later(60_000);
    await world.later(60_000);
    expect(await world.get(shown.identifier)).toMatchObject({ result: 'SUCCESS' });
  });

  test('runs nothing behind a form in its body before somebody has pressed the button for that item', async () => {
    const blueprint = await createBlueprint(app.request, 'asked');
    const inside = {
      nodes: [item, approval(), upsertItem(blueprint)],
      connections: [
        { sourceIdentifier: 'item', targetIdentifier: 'ask' },
        { sourceIdentifier: 'ask', targetIdentifier: 'entity', sourceOutletIdentifier: 'yes' },
      ],
    };
    const names = [unique('one'), unique('two'), unique('three')];
    const shown = await run([form(), map(names, inside, { onItemFailure: 'continue' })]);
    expect(shown).toMatchObject({ status: 'IN_PROGRESS', waitingFor: 'child' });
    const runs = (await children(shown.identifier)).reverse();
    const statuses = () => Promise.all(names.map((name) => world.entityStatus(blueprint, name)));
    expect(await statuses()).toEqual([404, 404, 404]);
    const token = await app.organization.personToken(await world.person('ada', 'Admin'));
    const press = async (index: number, button: string) => {
      const asked = findStep(await world.get(runs[index]?.identifier as string), 'ask');
      expect((await world.respond(asked['identifier'] as string, token, button)).status).toBe(200);
      await app.app.jobs.drain();
    };
    const waits = await app.request('GET', '/v1/workflows/runs?waiting_for_me=true&limit=1000', { token });
    expect(waits.body.runs.map(({ identifier }: { identifier: string }) => identifier)).toEqual(
      expect.arrayContaining(runs.map(({ identifier }) => identifier)),
    );
    await press(1, 'yes');
    expect(await statuses()).toEqual([404, 200, 404]);
    await press(0, 'no');
    expect(await statuses()).toEqual([404, 200, 404]);
    expect(await world.get(shown.identifier)).toMatchObject({ status: 'IN_PROGRESS' });
    await press(2, 'yes');
    expect(await statuses()).toEqual([404, 200, 200]);
    expect(await world.get(shown.identifier)).toMatchObject({ result: 'SUCCESS' });
  });

  const failing = body(step('fails', { type: 'STOP', result: 'FAILED' }));
  const failsAt2 = {
    nodes: [
      item,
      step('check', {
        type: 'CONDITION',
        outlets: [{ identifier: 'bad', title: 'Bad', expression: '.outputs.trigger.item == 2' }],
      }),
      step('fails', { type: 'STOP', result: 'FAILED' }),
      step('good', { type: 'TRANSFORM', expression: '.outputs.trigger.item' }),
    ],
    connections: [
      { sourceIdentifier: 'item', targetIdentifier: 'check' },
      { sourceIdentifier: 'check', targetIdentifier: 'fails', sourceOutletIdentifier: 'bad' },
      { sourceIdentifier: 'check', targetIdentifier: 'good', fallback: true },
    ],
  };

  test('tells which items failed, and goes on where it may', async () => {
    const shown = await run([form(), map([1, 2, 3], failsAt2, { onItemFailure: 'continue' })]);
    expect(shown).toMatchObject({ result: 'SUCCESS' });
    expect(findStep(shown, 'each')['output']).toMatchObject({
      results: [1, null, 3],
      failed: [{ index: 1, result: 'FAILED' }],
    });
  });

  test('stops at the first that fails, and ends the others that are open', async () => {
    const inside = {
      nodes: [...failsAt2.nodes.slice(0, 3), step('wait', { type: 'DELAY', seconds: 3600 })],
      connections: failsAt2.connections.map((each) =>
        'fallback' in each ? { ...each, targetIdentifier: 'wait' } : each,
      ),
    };
    const shown = await run([form(), map([1, 2, 3, 4, 5], inside, { concurrency: 3 })]);
    expect(shown).toMatchObject({ status: 'COMPLETED', result: 'FAILED' });
    expect(findStep(shown, 'each')['message']).toMatch(/^The run of item 1 \(wfr_\w+\) failed/);
    const runs = await children(shown.identifier);
    expect(runs.map(({ status }) => status)).toEqual(Array(5).fill('COMPLETED'));
    expect(runs.map(({ result }) => result).sort()).toEqual([
      'CANCELLED',
      'CANCELLED',
      'CANCELLED',
      'CANCELLED',
      'FAILED',
    ]);
  });

  test.each([
    ['no list', '{{ .outputs.trigger.name }}', {}, '"items" came to "x", which is no list'],
    ['more than it may', [1, 2, 3], { maxItems: 2 }, 'There are 3 items, and at most 2'],
    ['text that reads nothing', '{{ .outputs.none }}', {}, '"items" came to null'],
  ])('fails with a sentence for %s', async (_what, items, more, message) => {
    const shown = await run([form(), map(items, failing, more)], { name: 'x' });
    expect(shown).toMatchObject({ result: 'FAILED' });
    expect(findStep(shown, 'each')['message']).toContain(message);
    expect(await children(shown.identifier)).toEqual([]);
  });

  test('of nothing succeeds without a run', async () => {
    const shown = await run([form(), map([], failing)]);
    expect(findStep(shown, 'each')).toMatchObject({ result: 'SUCCESS', output: { results: [], failed: [] } });
  });

  test('takes entities as items', async () => {
    const blueprint = await createBlueprint(app.request, 'many');
    for (const identifier of ['a', 'b']) await createEntity(app.request, blueprint, { identifier });
    const query = { blueprintIdentifier: blueprint };
    const each = step('each', { type: 'MAP', query, body: body(compute('.outputs.trigger.item.identifier')) });
    const shown = await run([form(), each]);
    expect(findStep(shown, 'each')).toMatchObject({ result: 'SUCCESS' });
    expect([...(findStep(shown, 'each')['output']['results'] as string[])].sort()).toEqual(['a', 'b']);
  });

  test('never takes what an item holds for a template', async () => {
    const called = await world.workflow([
      form(),
      step('said', { type: 'TRANSFORM', expression: '.outputs.trigger.name' }),
    ]);
    const text = '{{ .outputs.trigger.name }}';
    const each = step('each', { type: 'MAP', items: '{{ [.outputs.trigger] }}', workflowIdentifier: called });
    const shown = await run([form(), each], { name: text });
    expect(findStep(shown, 'each')['output']).toMatchObject({ results: [text] });
  });

  test('begins no more runs than one run may', async () => {
    const shown = await run([form(), step('wait', { type: 'DELAY', seconds: 60 }), map([1, 2, 3], body(compute('1')))]);
    // as if so many had come of it by other ways
    await app.database.transaction((tx) =>
      tx.execute(sql`
        insert into workflow_runs (org_id, id, workflow_key, workflow_identifier, version, status, result, rev, trigger_node,
          trigger, depth, root_id, steps, bytes, authority, text_authors, created_by, created_by_kind, deadline_at,
          created_at, updated_at, completed_at)
        select r.org_id, r.id || '_' || n, r.workflow_key, r.workflow_identifier, r.version, 'COMPLETED', 'SUCCESS', 0,
          r.trigger_node, r.trigger, 1, r.id, 0, 0, r.authority, '{}', r.created_by, r.created_by_kind, r.deadline_at,
          r.created_at, r.updated_at, r.updated_at
        from workflow_runs r, generate_series(1, 997) n where r.org_id = ${app.organization.id} and r.id = ${shown.identifier}`),
    );
    await world.later(60_000);
    const ended = await world.get(shown.identifier);
    expect(findStep(ended, 'each')).toMatchObject({
      result: 'FAILED',
      message: `Stopped: it would begin 3 runs beside the 998 that came of ${shown.identifier}, and at most 1000 may`,
    });
    expect(await children(shown.identifier)).toEqual([]);
  });
});

describe('a body', () => {
  test('reads what came before the step that holds it, at every depth', async () => {
    const inner = map(
      '{{ [1, 2] }}',
      body(compute('[.outputs.trigger.parent.trigger.parent.first.n, .outputs.trigger.item]')),
    );
    const shown = await run([
      form(),
      step('first', { type: 'TRANSFORM', expression: '{n: 7}' }),
      map(['x'], body(step('deep', inner['config'] as object))),
    ]);
    expect(findStep(shown, 'each')['output'], JSON.stringify(shown.nodeRuns)).toMatchObject({
      results: [
        {
          results: [
            [7, 1],
            [7, 2],
          ],
        },
      ],
    });
  });

  test('reads masks for the inputs that the form encrypts', async () => {
    const secret = form({ userInputs: { properties: { pin: { type: 'string', encryption: 'aes256-gcm' } } } });
    const shown = await run([secret, map([1], body(compute('.outputs.trigger.parent.trigger.pin')))], {
      pin: 'hidden-1234',
    });
    const { results } = findStep(shown, 'each')['output'] as { results: string[] };
    expect(results[0]).toMatch(/^[•*]+$/);
  });
});

describe('PARALLEL', () => {
  test('gives what each branch gave by its name', async () => {
    const branches = {
      left: body(compute('"l"')),
      right: body(step('wait', { type: 'DELAY', seconds: 60 }), compute('"r"')),
    };
    const shown = await run([form(), step('both', { type: 'PARALLEL', branches })]);
    expect(shown).toMatchObject({ status: 'IN_PROGRESS', waitingFor: 'child' });
    await world.later(60_000);
    const ended = await world.get(shown.identifier);
    expect(findStep(ended, 'both')).toMatchObject({ result: 'SUCCESS', output: { left: 'l', right: 'r' } });
    const [right] = await children(shown.identifier);
    const again = await app.request('POST', `/v1/workflows/runs/${right?.identifier}/rerun`, { body: {} });
    expect(again).toMatchObject({ status: 422, body: { message: expect.stringContaining('It is a part of the run') } });
    expect((await world.get(right?.identifier as string)).graph.nodes).toHaveLength(3);
  });

  test('fails if a branch does, once all have ended', async () => {
    const branches = { good: body(compute('1')), bad: body(step('fails', { type: 'STOP', result: 'FAILED' })) };
    const shown = await run([form(), step('both', { type: 'PARALLEL', branches, onFailure: 'continue' })]);
    expect(shown).toMatchObject({ result: 'SUCCESS', message: '1 step failed' });
    expect(findStep(shown, 'both')).toMatchObject({ result: 'FAILED', output: { branches: { good: 1 } } });
  });
});

describe('REPEAT', () => {
  const rounds = (more: object = {}) =>
    step('again', {
      type: 'REPEAT',
      body: body(compute('{n: .outputs.trigger.round, before: .outputs.trigger.previous.n}')),
      until: '.n == 3',
      ...more,
    });

  test('runs its body until what it gave is what was waited for, and hands each round the last', async () => {
    const shown = await run([form(), rounds()]);
    expect(findStep(shown, 'again')).toMatchObject({
      result: 'SUCCESS',
      output: { rounds: 3, output: { n: 3, before: 2 } },
    });
    await world.foldsBack(shown.identifier);
  });

  test('fails after the rounds that it has', async () => {
    const shown = await run([form(), rounds({ maxRounds: 2 })]);
    expect(findStep(shown, 'again')).toMatchObject({
      result: 'FAILED',
      message: '"until" was not true after 2 rounds',
    });
    expect(await children(shown.identifier)).toHaveLength(2);
  });

  test('waits between rounds, with no job meanwhile', async () => {
    const shown = await run([form(), rounds({ delaySeconds: 600 })]);
    expect(await children(shown.identifier)).toHaveLength(1);
    const jobs = sql`select name from jobs where org_id = ${app.organization.id} and state <> 'dead'`;
    expect(await app.database.rows(jobs)).toEqual([]);
    // the engine looks at the clock again, and what was woken early waits on
    await app.database.transaction((tx) =>
      tx.execute(
        sql`update workflow_node_runs set due_at = due_at - interval '1 hour' where org_id = ${app.organization.id}`,
      ),
    );
    app.clock.advance(1_000);
    await app.app.jobs.drain();
    expect(await children(shown.identifier)).toHaveLength(1);
    app.clock.advance(600_000);
    await app.app.jobs.drain();
    expect(await children(shown.identifier)).toHaveLength(2);
    app.clock.advance(601_000);
    await app.app.jobs.drain();
    expect(await world.get(shown.identifier)).toMatchObject({ result: 'SUCCESS' });
  });
});
