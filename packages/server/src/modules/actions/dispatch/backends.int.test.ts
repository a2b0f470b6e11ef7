import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { unique } from '../../../../test/catalog-fixtures.ts';
import { type ReceivedRequest, type Receiver, startReceiver } from '../../../../test/receiver.ts';

let app: TestApp;
let receiver: Receiver;
beforeAll(async () => {
  app = await createTestApp();
  receiver = await startReceiver();
  for (const [secretName, secretValue] of Object.entries({
    GITHUB_TOKEN: 'ghp_token',
    GITHUB_API_URL: `${receiver.url}/api/v3/`,
    GITLAB_URL: receiver.url,
    shop_web_front_end: 'glptt-1',
    AZURE_DEVOPS_URL: receiver.url,
  })) {
    await app.request('POST', '/v1/organization/secrets', { body: { secretName, secretValue } });
  }
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});
beforeEach(async () => {
  await app.app.jobs.drain();
  receiver.received.length = 0;
  receiver.answer = () => ({ status: 200 });
});

const runs = '/v1/actions/runs';
const get = async (id: string) => (await app.request('GET', `${runs}/${id}?version=v2`)).body.run;
const readLogs = async (id: string): Promise<string[]> =>
  (await app.request('GET', `${runs}/${id}/logs`)).body.runLogs.map(({ message }: { message: string }) => message);

async function started(invocationMethod: object, request = app.request): Promise<string> {
  const identifier = unique('act');
  const userInputs = { properties: { who: { type: 'string' } } };
  const trigger = { type: 'self-service', operation: 'CREATE', userInputs };
  const created = await request('POST', '/v1/actions', { body: { identifier, trigger, invocationMethod } });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const run = await request('POST', `/v1/actions/${identifier}/runs`, { body: { properties: { who: 'me' } } });
  await app.app.jobs.drain();
  return run.body.run.id;
}

/** Unique across workflows, as at GitHub. */
let lastWorkflow = 100;

/** A partial GitHub: dispatched workflows begin at once, and continue until the test ends them. */
function startGitHub() {
  const workflows: { id: number; html_url: string; status: string; conclusion: string | null; head_branch: string }[] =
    [];
  receiver.answer = ({ method, path, body }: ReceivedRequest) => {
    const at = new URL(path, receiver.url).pathname.replace('/api/v3/repos/acme/shop', '');
    const json = (value: unknown) => ({ status: 200, body: JSON.stringify(value) });
    if (at === '') return json({ default_branch: 'trunk' });
    if (method === 'POST' && at === '/actions/workflows/deploy.yml/dispatches') {
      const id = lastWorkflow++;
      const html_url = `https://github.example/runs/${id}`;
      workflows.push({ id, html_url, status: 'queued', conclusion: null, head_branch: JSON.parse(body).ref });
      return { status: 204, body: '' };
    }
    const shown = workflows.map((each) => ({ ...each, created_at: app.clock.now().toISOString() }));
    if (at === '/actions/workflows/deploy.yml/runs') return json({ workflow_runs: [...shown].reverse() });
    const one = shown.find(({ id }) => at === `/actions/runs/${id}`);
    return one ? json(one) : { status: 404, body: '{"message":"Not Found"}' };
  };
  return workflows;
}

const github = (more: object = {}) => ({ type: 'GITHUB', org: 'acme', repo: 'shop', workflow: 'deploy.yml', ...more });

describe('a workflow of GitHub', () => {
  test('is started on the default branch with texts as inputs, and the run ends as it does', async () => {
    const workflows = startGitHub();
    const workflowInputs = {
      who: '{{ .inputs.who }}',
      count: 3,
      on: true,
      none: null,
      bag: { a: 1 },
      id: '{{ .run.id }}',
    };
    const id = await started(github({ workflowInputs }));
    const sent = receiver.received.find(({ method }) => method === 'POST');
    expect(sent?.path).toBe('/api/v3/repos/acme/shop/actions/workflows/deploy.yml/dispatches');
    expect(sent?.headers).toMatchObject({ authorization: 'Bearer ghp_token', accept: 'application/vnd.github+json' });
    const inputs = { who: 'me', count: '3', on: 'true', bag: '{"a":1}', id };
    expect(JSON.parse(sent?.body ?? '')).toEqual({ ref: 'trunk', inputs });
    expect(await get(id)).toMatchObject({
      status: 'IN_PROGRESS',
      link: [workflows[0]?.html_url],
      externalRunId: String(workflows[0]?.id),
    });
    Object.assign(workflows[0] as object, { status: 'in_progress' });
    app.clock.advance(5_000);
    await app.app.jobs.drain();
    expect((await get(id)).status).toBe('IN_PROGRESS');
    Object.assign(workflows[0] as object, { status: 'completed', conclusion: 'success' });
    app.clock.advance(5_000);
    await app.app.jobs.drain();
    expect(await get(id)).toMatchObject({ status: 'SUCCESS', endedAt: app.clock.now().toISOString() });
    receiver.received.length = 0;
    app.clock.advance(60_000);
    await app.app.jobs.drain();
    expect(receiver.received.filter(({ path }) => path.endsWith(`/runs/${workflows[0]?.id}`))).toEqual([]);
  });

  test('that fails, fails its run with its conclusion; of two, each ends its own', async () => {
    const workflows = startGitHub();
    const [first, second] = [await started(github()), await started(github())];
    expect([(await get(first)).externalRunId, (await get(second)).externalRunId]).toEqual(
      workflows.map((each) => String(each.id)),
    );
    Object.assign(workflows[1] as object, { status: 'completed', conclusion: 'cancelled' });
    app.clock.advance(5_000);
    await app.app.jobs.drain();
    expect((await get(first)).status).toBe('IN_PROGRESS');
    expect(await get(second)).toMatchObject({ status: 'FAILURE', statusLabel: 'cancelled' });
  });

  test('is on the branch that is named, and is not looked after if that is not wanted', async () => {
    const workflows = startGitHub();
    const id = await started(github({ workflowInputs: { ref: 'next', a: 'b' }, reportWorkflowStatus: false }));
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({ ref: 'next', inputs: { a: 'b' } });
    Object.assign(workflows[0] as object, { status: 'completed', conclusion: 'success' });
    app.clock.advance(60_000);
    await app.app.jobs.drain();
    expect(await get(id)).toMatchObject({ status: 'IN_PROGRESS', link: [] });
  });

  test('does not overrule whoever reported on the run first', async () => {
    const workflows = startGitHub();
    const id = await started(github());
    await app.request('PATCH', `${runs}/${id}`, { body: { status: 'FAILURE', statusLabel: 'stopped' } });
    Object.assign(workflows[0] as object, { status: 'completed', conclusion: 'success' });
    app.clock.advance(5_000);
    await app.app.jobs.drain();
    expect(await get(id)).toMatchObject({ status: 'FAILURE', statusLabel: 'stopped' });
  });

  test('that GitHub does not know fails the run with its words, and the token shows nowhere', async () => {
    receiver.answer = () => ({ status: 404, body: '{"message":"Not Found"}' });
    const id = await started(github({ ref: 'main' }));
    const run = await get(id);
    expect(run).toMatchObject({ status: 'FAILURE', statusLabel: 'GitHub answered 404: Not Found' });
    expect(JSON.stringify([run, await readLogs(id)])).not.toContain('ghp_token');
    expect(receiver.received.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('needs a token, and a repository that is one part of an address', async () => {
    const other = await app.createOrganization();
    const id = await started(github({ ref: 'main' }), other.request);
    const run = (await other.request('GET', `${runs}/${id}`)).body.run;
    expect([run.status, run.statusLabel]).toEqual(['FAILURE', expect.stringContaining('GITHUB_TOKEN')]);
    const up = await started(github({ repo: '..', ref: 'main' }));
    expect((await get(up)).status).toBe('FAILURE');
    await started(github({ repo: '../../user', ref: 'main' }));
    expect(receiver.received.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
      '/api/v3/repos/acme/..%2F..%2Fuser/actions/workflows/deploy.yml/dispatches',
    ]);
  });
});

describe('a pipeline of GitLab', () => {
  const gitlab = { type: 'GITLAB', groupName: 'shop/web', projectName: 'front.end' };

  test('is triggered with the token of its project, and linked', async () => {
    const pipeline = { id: 7, web_url: 'https://gitlab.example/p/7' };
    receiver.answer = () => ({ status: 201, body: JSON.stringify(pipeline) });
    const id = await started({ ...gitlab, pipelineVariables: { WHO: '{{ .inputs.who }}', N: 1 } });
    const [sent] = receiver.received;
    expect(sent?.path).toBe('/api/v4/projects/shop%2Fweb%2Ffront.end/trigger/pipeline');
    const variables = { WHO: 'me', N: '1' };
    expect(JSON.parse(sent?.body ?? '')).toEqual({ token: 'glptt-1', ref: 'main', variables });
    const run = await get(id);
    expect(run).toMatchObject({ status: 'IN_PROGRESS', link: [pipeline.web_url], externalRunId: '7' });
    expect(JSON.stringify(run)).not.toContain('glptt-1');
  });

  test('without that token is not triggered, and the run tells which secret is missing', async () => {
    const id = await started({ ...gitlab, projectName: 'back' });
    expect(await get(id)).toMatchObject({ status: 'FAILURE', statusLabel: expect.stringContaining('shop_web_back') });
    expect(receiver.received).toHaveLength(0);
  });
});

describe('a webhook of Azure DevOps', () => {
  test('gets the payload, signed as Azure checks it', async () => {
    const id = await started({ type: 'AZURE_DEVOPS', org: 'acme', webhook: 'hook', payload: { run: '{{ .run.id }}' } });
    const [sent] = receiver.received;
    const body = JSON.stringify({ run: id });
    expect([sent?.path, sent?.body]).toEqual([
      '/acme/_apis/public/distributedtask/webhooks/hook?api-version=6.0-preview',
      body,
    ]);
    const hmac = createHmac('sha1', app.organization.clientSecret).update(body).digest('hex');
    expect(sent?.headers['x-port-signature']).toBe(hmac);
    expect((await get(id)).status).toBe('IN_PROGRESS');
  });

  test('that is refused fails the run; a fault there is tried again', async () => {
    receiver.answer = () => ({ status: 401, body: 'no' });
    const method = { type: 'AZURE_DEVOPS', org: 'acme', webhook: 'hook' };
    expect((await get(await started(method))).status).toBe('FAILURE');
    receiver.answer = () => ({ status: 503, body: 'later' });
    const id = await started(method);
    expect((await get(id)).status).toBe('IN_PROGRESS');
    expect(await readLogs(id)).toEqual([expect.stringContaining('tried again')]);
  });
});

describe('a receiver that hangs', () => {
  test('does not keep a quick one waiting, however many runs wait for it', async () => {
    const own = await createTestApp();
    const [slow, quick] = [await startReceiver(), await startReceiver()];
    slow.answer = () => 'hang';
    try {
      const make = async (url: string) => {
        const identifier = unique('act');
        const trigger = { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } };
        const invocationMethod = { type: 'WEBHOOK', url };
        await own.request('POST', '/v1/actions', { body: { identifier, trigger, invocationMethod } });
        return () => own.request('POST', `/v1/actions/${identifier}/runs`, { body: {} });
      };
      const hang = await make(slow.url);
      for (let count = 0; count < 30; count += 1) await hang();
      await own.app.jobs.start();
      await (await make(quick.url))();
      await expect.poll(() => quick.received.length, { timeout: 10_000 }).toBe(1);
      await expect.poll(() => slow.received.length, { timeout: 10_000 }).toBe(8);
      slow.answer = () => ({ status: 200 });
    } finally {
      await slow.close();
      await own.close();
      await quick.close();
    }
  });
});
