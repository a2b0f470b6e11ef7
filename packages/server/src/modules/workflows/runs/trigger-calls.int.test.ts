import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { unique } from '../../../../test/catalog-fixtures.ts';
import { createWorkflowWorld, type WorkflowWorld } from '../../../../test/workflow-world.ts';

let app: TestApp;
let world: WorkflowWorld;
const secretName = 'HOOK_SECRET';
const secret = 'sesame-open-wide';
beforeAll(async () => {
  app = await createTestApp();
  world = createWorkflowWorld(app);
  const body = { secretName, secretValue: secret };
  expect((await app.request('POST', '/v1/organization/secrets', { body })).status).toBeLessThan(300);
});
afterAll(() => app.close());

const hook = (more: object = {}) => ({
  identifier: 'hook',
  config: { type: 'WEBHOOK_TRIGGER', secretName, signature: 'sha256-hmac', ...more },
});
const keep = (value = '{{ .outputs.trigger }}') => ({ identifier: 'keep', config: { type: 'TRANSFORM', value } });
const sign = (text: string, key = secret) => createHmac('sha256', key).update(text).digest('hex');

async function addressOf(flow: string, method: 'GET' | 'POST' = 'GET'): Promise<string> {
  const { status, body } = await app.request(method, `/v1/workflows/${flow}/nodes/hook/address`);
  expect(status, JSON.stringify(body)).toBe(200);
  return new URL(body.address).pathname;
}

async function call(path: string, body: unknown, headers: Record<string, string> = {}) {
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  const signed = { 'content-type': 'application/json', 'x-signature-256': sign(payload), ...headers };
  const answer = await app.app.http.inject({ method: 'POST', url: path, headers: signed, payload });
  return { status: answer.statusCode, body: answer.json() };
}

async function started(flow: string) {
  await app.app.jobs.drain();
  return (await app.request('GET', `/v1/workflows/runs?workflow=${flow}`)).body.runs;
}

describe('a call of the address of a trigger', () => {
  test('starts a run with what was sent, without what proves it', async () => {
    const flow = await world.workflow([hook(), keep()] as never);
    const answer = await call(await addressOf(flow), { ref: 'main' }, { 'x-also': secret, authorization: 'Bearer x' });
    expect(answer).toMatchObject({ status: 202, body: { state: 'started' } });
    await app.app.jobs.drain();
    const run = await world.get(answer.body.runIdentifier);
    expect(run).toMatchObject({
      result: 'SUCCESS',
      trigger: { type: 'WEBHOOK_TRIGGER' },
      nodeRuns: [{ output: { body: { ref: 'main' }, queryParams: {} } }],
    });
    const kept = JSON.stringify(run);
    for (const text of [secret, sign('{"ref":"main"}'), 'Bearer x']) expect(kept).not.toContain(text);
  });

  test('gives what its mapping makes of it, and null for an expression that fails', async () => {
    const mapping = { branch: '.body.ref', event: '.headers["x-event"]', odd: '.body.ref | tonumber' };
    const flow = await world.workflow([hook({ mapping }), keep()] as never);
    const { body } = await call(await addressOf(flow), { ref: 'main' }, { 'x-event': 'push' });
    await app.app.jobs.drain();
    expect((await world.get(body.runIdentifier)).nodeRuns).toMatchObject([
      { output: { branch: 'main', event: 'push', odd: null } },
    ]);
  });

  test.each([
    ['no signature', { 'x-signature-256': '' }],
    ['a signature of something else', { 'x-signature-256': sign('other') }],
    ['one by another secret', { 'x-signature-256': sign('{"a":1}', 'guess') }],
  ])('with %s is refused and starts nothing', async (_name, headers) => {
    const flow = await world.workflow([hook(), keep()] as never);
    expect(await call(await addressOf(flow), { a: 1 }, headers)).toMatchObject({ status: 401 });
    expect(await started(flow)).toEqual([]);
  });

  test('of a trigger whose secret is not there is refused, whatever is sent', async () => {
    const flow = await world.workflow([hook({ secretName: unique('GONE') }), keep()] as never);
    const path = await addressOf(flow);
    expect(await call(path, {}, { 'x-signature-256': sign('{}', '') })).toMatchObject({ status: 401 });
    expect(await started(flow)).toEqual([]);
  });

  test('proves itself as GitHub does, or by a bearer', async () => {
    const github = await world.workflow([hook({ signature: 'github' }), keep()] as never);
    const asGithub = { 'x-hub-signature-256': `sha256=${sign('{}')}`, 'x-github-delivery': unique('d') };
    expect(await call(await addressOf(github), {}, asGithub)).toMatchObject({ status: 202 });
    const bare = { 'x-hub-signature-256': sign('{}') };
    expect(await call(await addressOf(github), {}, bare)).toMatchObject({ status: 401 });
    const bearer = await world.workflow([hook({ signature: 'bearer' }), keep()] as never);
    const path = await addressOf(bearer);
    expect(await call(path, {}, { authorization: `Bearer ${secret}` })).toMatchObject({ status: 202 });
    expect(await call(path, {}, { authorization: `Bearer ${secret}x` })).toMatchObject({ status: 401 });
    expect(await call(path, {}, { authorization: secret })).toMatchObject({ status: 401 });
  });

  test('that names its delivery starts one run, however often and at once it comes; another trigger starts its own', async () => {
    const flow = await world.workflow([hook(), keep()] as never);
    const path = await addressOf(flow);
    const delivery = { 'x-delivery-id': unique('d') };
    const answers = await Promise.all([1, 2, 3].map(() => call(path, { n: 1 }, delivery)));
    expect(answers.map(({ body }) => body.state).sort()).toEqual(['dropped', 'dropped', 'started']);
    await call(path, { n: 1 });
    await call(path, { n: 1 });
    expect(await started(flow)).toHaveLength(3);
  });

  test('whose condition does not hold, or whose trigger is not published, starts nothing', async () => {
    const condition = { type: 'JQ', expressions: ['.body.ref == "main"'] };
    const flow = await world.workflow([hook({ condition }), keep()] as never);
    const path = await addressOf(flow);
    expect(await call(path, { ref: 'x' })).toMatchObject({
      status: 202,
      body: { state: 'dropped', runIdentifier: null },
    });
    expect(await call(path, { ref: 'main' })).toMatchObject({ body: { state: 'started' } });
    const closed = await world.workflow([hook({ published: false }), keep()] as never);
    expect(await call(await addressOf(closed), {})).toMatchObject({ body: { state: 'dropped' } });
    expect(await started(closed)).toEqual([]);
  });

  test('that is no JSON is refused, and one that is too large is', async () => {
    const flow = await world.workflow([hook(), keep()] as never);
    const path = await addressOf(flow);
    expect((await call(path, '{')).status).toBe(400);
    expect((await call(path, JSON.stringify('x'.repeat(600_000)))).status).toBe(413);
  });
});

describe('the address', () => {
  test('stays when the workflow is saved anew, changes when it is rotated, and goes with the trigger', async () => {
    const flow = await world.workflow([hook(), keep()] as never);
    const first = await addressOf(flow);
    const save = (nodes: readonly object[]) =>
      app.request('PUT', `/v1/workflows/${flow}`, {
        body: {
          identifier: flow,
          nodes,
          connections: [
            { sourceIdentifier: (nodes[0] as { identifier: string }).identifier, targetIdentifier: 'keep' },
          ],
        },
      });
    expect((await save([hook(), keep('{{ .outputs.trigger.body }}')])).status).toBe(200);
    expect(await addressOf(flow)).toBe(first);
    const second = await addressOf(flow, 'POST');
    expect(second).not.toBe(first);
    expect((await call(first, {})).status).toBe(404);
    expect((await call(second, {})).status).toBe(202);
    expect((await save([{ identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER' } }, keep()])).status).toBe(200);
    expect((await call(second, {})).status).toBe(404);
    expect((await app.request('GET', `/v1/workflows/${flow}/nodes/hook/address`)).status).toBe(404);
  });

  test('is for administrators, holds 128 random bits, and answers nobody once the workflow is deleted', async () => {
    const flow = await world.workflow([hook(), keep()] as never);
    const path = await addressOf(flow);
    expect(path).toMatch(/^\/v1\/workflow-triggers\/[A-Za-z0-9]{16}[0-9a-f]{32}$/);
    const token = await app.organization.personToken(await world.person('mia'));
    for (const method of ['GET', 'POST']) {
      const answer = await app.request(method, `/v1/workflows/${flow}/nodes/hook/address`, { token });
      expect([403, 404]).toContain(answer.status);
    }
    expect((await app.request('DELETE', `/v1/workflows/${flow}`)).status).toBe(200);
    expect((await call(path, {})).status).toBe(404);
    expect((await call('/v1/workflow-triggers/nonsense', {})).status).toBe(404);
  });

  test('and its secret: the secret stands in the definition by its name alone', async () => {
    const nodes = [hook({ secretName: 'my secret!' }), keep()];
    const connections = [{ sourceIdentifier: 'hook', targetIdentifier: 'keep' }];
    const { body } = await app.request('POST', '/v1/workflows/validate', {
      body: { identifier: unique('flow'), nodes, connections },
    });
    expect(body.issues).toMatchObject([{ path: '/nodes/0/config/secretName', code: 'secret_in_words' }]);
  });
});
