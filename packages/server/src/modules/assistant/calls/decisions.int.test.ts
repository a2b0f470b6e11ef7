import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { send } from '../../../../test/assistant-harness.ts';
import { approveTools, cleanUp, createInjectionWorld, type InjectionWorld } from '../../../../test/injection-world.ts';
import type { ScriptedCall } from '../../../../test/mock-model-server.ts';

let world: InjectionWorld;
beforeAll(async () => {
  world = await createInjectionWorld();
});
afterAll(async () => world.close());
beforeEach(async () => {
  await cleanUp(world);
  await world.of('PUT', '/v1/ai/policy', { injection: 'enforce', risks: {} });
});

const call = (name: string, args: object = {}): ScriptedCall => ({ name, arguments: { ...args } });
const readPullRequest = call('get_entity', { blueprint: 'pull_request', identifier: 'PR-88' });
const restart = call('run_restart', { entity: 'cart', reason: 'disk is full' });

async function writePullRequest(): Promise<void> {
  const body = { identifier: 'PR-88', title: 'disk is full' };
  await world.fromOutside('POST', '/v1/blueprints/pull_request/entities?upsert=true', body);
}

describe('a call that text from outside may have led to', () => {
  test('is a draft that says why, who wrote what was read, and where each value stands', async () => {
    await writePullRequest();
    const { id, results, effects } = await world.ask('What is wrong with cart?', {
      reads: [readPullRequest],
      wanted: [restart],
    });
    expect(effects).toEqual([]);
    const { run } = await world.of('GET', `/v1/actions/runs/${results[1].runId}`);
    expect(run.draft.reason).toBe(
      'Text from outside (pull_request PR-88) was read before this call, and your question did not ask for it. Asked for: What is wrong with cart?',
    );
    expect(run.decision).toMatchObject({
      result: 'draft',
      rule: 'read',
      risk: 'standard',
      label: [expect.stringMatching(/^credential:/), 'outside'],
      origins: {
        reason: { from: 'read', tool: 'get_entity', call: 'call_0', authors: expect.arrayContaining(['outside']) },
        times: { from: 'default' },
        $entity: { from: 'question' },
      },
    });
    const [stored] = await world.harness.database.rows<{ label: string[]; results: string }>(sql`
      select i.label, (select string_agg(e.events::text, '') from invocation_events e
        where e.org_id = i.org_id and e.invocation_id = i.id) as results
      from invocations i where i.id = ${id}`);
    expect(stored?.label).toEqual(run.decision.label);
    expect(stored?.results).toMatch(/"lastChunk":true\},\["credential:[^"]+","outside"\]\]/);
  });

  test('runs while the rule is only observed, and the run says what it would have been', async () => {
    await world.of('PUT', '/v1/ai/policy', { injection: 'observe' });
    await writePullRequest();
    const { results, effects } = await world.ask('What is wrong?', { reads: [readPullRequest], wanted: [restart] });
    expect(effects).toHaveLength(1);
    const { run } = await world.of('GET', `/v1/actions/runs/${results[1].runId}`);
    expect(run.decision).toMatchObject({ result: 'execute', observed: { result: 'draft', rule: 'read' } });
  });

  test('is refused where there is no draft of it', async () => {
    await approveTools(world);
    const { results, effects } = await world.ask('What is open?', {
      reads: [],
      wanted: [call('mcp_tracker__close', { text: 'T-1' })],
      usesServer: true,
    });
    expect(results).toMatchObject([{ error: 'approval_required' }]);
    expect(effects).toEqual([]);
  });
});

test('two equal calls of one step run once', async () => {
  await writePullRequest();
  const wanted = [call('run_restart', { entity: 'cart' }), call('run_restart', { entity: 'cart' })];
  const { results, effects } = await world.ask('Restart cart', { reads: [readPullRequest], wanted });
  const modes = results.slice(1).map(({ mode }) => mode as string);
  expect(modes.sort()).toEqual(['draft', 'executed']);
  expect(effects).toHaveLength(1);
});

test('what a run of an assistant writes has the authors of what was read', async () => {
  await writePullRequest();
  const words = 'disk is full';
  await world.ask(`Note down ${words}`, { reads: [readPullRequest], wanted: [call('run_note_down', { words })] });
  const row = await world.harness.database.first<{ authors: string[] }>(sql`
    select text_authors as authors from entities where org_id = ${world.organization.id} and identifier = 'notes'`);
  expect(row?.authors).toContain('outside');
});

describe('the policy', () => {
  test.each([
    ['open', 'What is wrong?', 'executed'],
    ['strict', 'See to cart', 'draft'],
    ['strict', 'Restart cart because disk is full', 'executed'],
    ['never', 'Restart cart because disk is full', 'draft'],
  ])('%s: "%s" is %s', async (risk, question, mode) => {
    await world.of('PUT', '/v1/ai/policy', { injection: 'enforce', risks: { restart: risk } });
    const { results } = await world.ask(question, { reads: [], wanted: [restart] });
    expect(results).toMatchObject([{ mode }]);
  });

  test('is written by administrators, who see what does not fit, and recorded', async () => {
    const put = async (body: unknown, token = world.organization.token) => {
      const answer = await send(world.harness.url, token, 'PUT', '/v1/ai/policy', body);
      return [answer.status, await answer.json()];
    };
    expect(await put({ injection: 'off', risks: { restart: 'high' }, more: 1 })).toMatchObject([
      400,
      { error: 'invalid_request', details: [{ path: '/injection' }, { path: '/risks/restart' }, { path: '/more' }] },
    ]);
    const member = await world.organization.member();
    expect(await put({ injection: 'observe' }, member)).toMatchObject([403, { error: 'missing_permissions' }]);
    expect(await put({ injection: 'observe' })).toMatchObject([200, { policy: { injection: 'observe' } }]);
    expect((await world.of('GET', '/v1/ai/policy')).policy).toEqual({
      injection: 'observe',
      observedUntil: null,
      risks: {},
    });
    const { audits } = await world.of('GET', '/v1/audit-log?resources=organization&limit=1');
    expect(audits[0]).toMatchObject({ identifier: expect.any(String), resourceType: 'organization' });
  });

  test('an organization from before observes until its time is over', async () => {
    const until = (days: number) =>
      world.harness.database.transaction((tx) =>
        tx.execute(sql`
        update ai_policies set injection = 'observe', observed_until = now() + ${`${days} days`}::interval
        where org_id = ${world.organization.id}`),
      );
    await until(1);
    expect((await world.of('GET', '/v1/ai/policy')).policy).toMatchObject({ injection: 'observe' });
    await until(-1);
    expect((await world.of('GET', '/v1/ai/policy')).policy).toMatchObject({
      injection: 'enforce',
      observedUntil: null,
    });
  });
});
