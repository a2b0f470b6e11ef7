import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { send, startAssistantHarness } from '../../../../test/assistant-harness.ts';
import { approveTools, cleanUp, createInjectionWorld, type InjectionWorld } from '../../../../test/injection-world.ts';
import type { ScriptedCall } from '../../../../test/mock-model-server.ts';

let world: InjectionWorld;
beforeAll(async () => {
  world = await createInjectionWorld(await startAssistantHarness());
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

describe('a call that reads on a connected server', () => {
  const find = (args: object) => call('mcp_tracker__find', args);
  const ask = async (question: string, args: object, reads = [readPullRequest], more: object = {}) => {
    await approveTools(world);
    await writePullRequest();
    const asked = await world.ask(question, { reads, wanted: [find(args)], usesServer: true, ...more });
    const { evidence } = await world.of('GET', `/v1/ai/invocations/${asked.id}/evidence`);
    return { ...asked, egress: evidence.egress, last: asked.results.at(-1) };
  };

  test('is refused if it takes along what was read, and says which argument', async () => {
    const { last, egress } = await ask('What is wrong?', { text: 'disk is full', limit: 5 });
    expect(last.error).toBe('approval_required');
    expect(last.message).toMatch(
      /^mcp_tracker__find sends its arguments to the server "tracker" and was not run: records were read before this call, .*\(argument text\), and there is no draft/,
    );
    expect(last.message).not.toContain('disk is full');
    expect([world.peer.calls, egress]).toEqual([[], []]);
  });

  test('is made with words of the question, and the evidence says what left and where it came from', async () => {
    const { egress } = await ask('Is the disk full?', { text: 'disk', limit: 5 });
    expect(world.peer.calls).toEqual([{ name: 'find', args: { text: 'disk', limit: 5 } }]);
    expect(egress).toEqual([
      {
        call: 'call_1',
        server: 'tracker',
        tool: 'find',
        rule: 'vouched',
        observed: false,
        arguments: [
          { name: 'text', bytes: 6, origin: { from: 'question' } },
          { name: 'limit', bytes: 1, origin: { from: 'closed' } },
        ],
        at: expect.any(String),
      },
    ]);
  });

  test('is made with what the same server answered, and not with what it refused', async () => {
    world.peer.answer = () => ({ content: [{ type: 'text', text: 'see T-77' }] });
    const reads = [find({ text: 'anything' }), readPullRequest];
    expect((await ask('What is wrong?', { text: 'T-77' }, reads)).egress).toMatchObject([
      { rule: 'nothing-read', arguments: [{ origin: { from: 'model' } }] },
      { rule: 'vouched', arguments: [{ origin: { from: 'read', tool: 'mcp_tracker__find' } }] },
    ]);
    const refused = [readPullRequest, find({ text: 'disk is full' })];
    expect((await ask('What is wrong?', { text: 'disk' }, refused)).last.error).toBe('approval_required');
  });

  test('is made with what the person looks at, and a context is data that was shown', async () => {
    const context = { entity: { blueprint: 'service', identifier: 'cart' } };
    expect((await ask('What is wrong here?', { text: 'cart' }, [], { context })).egress).toMatchObject([
      { rule: 'vouched', arguments: [{ origin: { from: 'context' } }] },
    ]);
    expect((await ask('What is wrong?', { text: 'cart' }, [], { context: { service: 'cart' } })).last.error).toBe(
      'approval_required',
    );
  });

  test('is made while the rule is only observed, or where an administrator lets the tool have everything', async () => {
    await world.of('PUT', '/v1/ai/policy', { injection: 'observe' });
    expect((await ask('What is wrong?', { text: 'full' })).egress).toMatchObject([{ rule: 'egress', observed: true }]);
    await world.of('PUT', '/v1/ai/policy', { injection: 'enforce', risks: { mcp_tracker__find: 'open' } });
    expect((await ask('What is wrong?', { text: 'full' })).egress).toMatchObject([{ rule: 'open', observed: false }]);
    await world.of('PUT', '/v1/ai/policy', { injection: 'enforce', risks: { mcp_tracker__find: 'never' } });
    expect((await ask('Is it full?', { text: 'full' }, [])).last.error).toBe('approval_required');
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

  test('text of a source is as good as none only while it is trusted', async () => {
    const security = { secret: 's3cret', signatureHeaderName: 'X-Token', signatureAlgorithm: 'plain' };
    const mapping = { blueprint: 'pull_request', entity: { identifier: '.body.id', title: '.body.title' } };
    const hook = { identifier: 'alerts', title: 'Alerts', enabled: true, security, mappings: [mapping] };
    const { integration } = await world.of('POST', '/v1/webhooks', hook);
    const trustedSources = [{ kind: 'webhook', identifier: 'alerts' }];
    await world.of('PUT', '/v1/ai/policy', { injection: 'enforce', trustedSources });
    const sent = await fetch(new URL(new URL(integration.url).pathname, world.harness.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-Token': 's3cret' },
      body: JSON.stringify({ id: 'PR-88', title: 'disk is full' }),
    });
    expect(sent.status).toBe(202);
    await world.harness.app.jobs.drain();
    const ask = () => world.ask('What is wrong?', { reads: [readPullRequest], wanted: [restart] });
    expect((await ask()).results[1]).toMatchObject({ mode: 'executed' });
    await world.of('PUT', '/v1/ai/policy', { injection: 'enforce', trustedSources: [] });
    const { runId } = (await ask()).results[1];
    const { run } = await world.of('GET', `/v1/actions/runs/${runId}`);
    expect(run.draft.reason).toMatch(
      /^Text from the webhook "alerts", which is not trusted any more, \(pull_request PR-88\)/,
    );
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
      receipts: 'off',
      risks: {},
      trustedSources: [],
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
