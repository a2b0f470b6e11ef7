import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../../test/build-test-app.ts';
import { unique } from '../../../../test/catalog-fixtures.ts';
import { type Receiver, startReceiver } from '../../../../test/receiver.ts';

let app: TestApp;
let receiver: Receiver;
let organization: TestOrganization;
beforeAll(async () => {
  app = await createTestApp();
  receiver = await startReceiver();
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});
beforeEach(async () => {
  organization = await app.createOrganization();
  receiver.received.length = 0;
  const secrets = { GITLAB_URL: receiver.url, shop_front: 'glptt-1', AZURE_DEVOPS_URL: receiver.url };
  for (const [name, value] of Object.entries(secrets)) await secret(name, value);
});

const secret = (secretName: string, secretValue: string) =>
  organization.request('POST', '/v1/organization/secrets', { body: { secretName, secretValue } });
const get = async (id: string) => (await organization.request('GET', `/v1/actions/runs/${id}?version=v2`)).body.run;
const readLogs = async (id: string): Promise<string[]> =>
  (await organization.request('GET', `/v1/actions/runs/${id}/logs`)).body.runLogs.map(
    ({ message }: { message: string }) => message,
  );
const lookAgain = async (): Promise<void> => {
  app.clock.advance(5_000);
  await app.app.jobs.drain();
};

async function started(invocationMethod: object, token = organization.token): Promise<string> {
  const identifier = unique('act');
  const trigger = { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } };
  const body = { identifier, trigger, invocationMethod };
  expect((await organization.request('POST', '/v1/actions', { body, token })).status).toBe(201);
  const run = await organization.request('POST', `/v1/actions/${identifier}/runs`, { body: { properties: {} } });
  await app.app.jobs.drain();
  return run.body.run.id;
}

const json = (value: unknown, status = 200) => ({ status, body: JSON.stringify(value) });

describe('a pipeline of GitLab', () => {
  const method = { type: 'GITLAB', groupName: 'shop', projectName: 'front' };
  let status: string;
  beforeEach(async () => {
    status = 'running';
    let last = 40;
    receiver.answer = ({ method: verb, path }) => {
      if (verb === 'POST') {
        last += 1;
        return json({ id: last, web_url: `https://gitlab.example/p/${last}` }, 201);
      }
      const id = Number(/\/projects\/shop%2Ffront\/pipelines\/(\d+)$/.exec(path)?.[1]);
      return json({ id, status, web_url: `https://gitlab.example/p/${id}` });
    };
  });

  test('is looked after no longer than somebody stands behind the action', async () => {
    await secret('GITLAB_TOKEN', 'glpat-read');
    const { body } = await organization.request('POST', '/v1/apps', { body: { name: 'editor', role: 'Admin' } });
    const { id: clientId, secret: clientSecret } = body.app;
    const credentials = { body: { clientId, clientSecret }, token: null };
    const token = (await organization.request('POST', '/v1/auth/access_token', credentials)).body.accessToken;
    const id = await started({ ...method, reportWorkflowStatus: true }, token);
    const asked = () => receiver.received.filter(({ method: verb }) => verb === 'GET').length;
    await lookAgain();
    const before = asked();
    expect(before).toBeGreaterThan(0);
    await organization.request('DELETE', `/v1/apps/${clientId}`);
    await lookAgain();
    expect(asked()).toBe(before);
    expect((await readLogs(id)).at(-1)).toContain('Nobody stands behind the action');
  });

  test.each([
    ['success', 'SUCCESS', null],
    ['failed', 'FAILURE', 'failed'],
    ['canceled', 'FAILURE', 'canceled'],
    ['skipped', 'FAILURE', 'skipped'],
  ])('that ends as %s ends its run as %s; one that waits for somebody does not', async (end, result, label) => {
    await secret('GITLAB_TOKEN', 'glpat-read');
    const id = await started({ ...method, reportWorkflowStatus: true });
    status = 'manual';
    await lookAgain();
    expect(await get(id)).toMatchObject({ status: 'IN_PROGRESS', link: ['https://gitlab.example/p/41'] });
    status = end;
    await lookAgain();
    const run = await get(id);
    expect(run).toMatchObject({ status: result, externalRunId: '41', link: ['https://gitlab.example/p/41'] });
    expect(run.statusLabel ?? null).toBe(label);
    const asked = receiver.received.filter(({ method: verb }) => verb === 'GET');
    expect(asked.map(({ headers }) => headers['private-token'])).toEqual(asked.map(() => 'glpat-read'));
    expect(JSON.stringify([run, await readLogs(id)])).not.toMatch(/glp(at|tt)-/);
    receiver.received.length = 0;
    await lookAgain();
    expect(receiver.received).toEqual([]);
  });

  test('is not looked at unless that is asked for, and the log tells which secret is missing', async () => {
    const silent = await started(method);
    const asked = await started({ ...method, reportWorkflowStatus: '{{ true }}' });
    await lookAgain();
    expect(receiver.received.filter(({ method: verb }) => verb === 'GET')).toEqual([]);
    expect([(await get(silent)).status, (await get(asked)).status]).toEqual(['IN_PROGRESS', 'IN_PROGRESS']);
    expect([await readLogs(silent), await readLogs(asked)]).toEqual([[], [expect.stringContaining('GITLAB_TOKEN')]]);
  });

  test('that the token may not read is given up, and the run waits for a report', async () => {
    await secret('GITLAB_TOKEN', 'glpat-read');
    const trigger = receiver.answer;
    receiver.answer = (request) =>
      request.method === 'POST' ? trigger(request) : json({ message: '404 Not found' }, 404);
    const id = await started({ ...method, reportWorkflowStatus: true });
    await lookAgain();
    expect((await get(id)).status).toBe('IN_PROGRESS');
    expect(await readLogs(id)).toEqual([expect.stringMatching(/not looked after any more.*404 Not found/)]);
  });
});

describe('a pipeline of Azure DevOps', () => {
  const method = { type: 'AZURE_DEVOPS', org: 'acme', webhook: 'hook', project: 'My Project' };
  let builds: { id: number; status: string; result?: string; queueTime: string; _links: object }[];
  let answersPage = false;
  beforeEach(() => {
    builds = [];
    answersPage = false;
    let last = 900;
    receiver.answer = ({ method: verb, path }) => {
      if (verb === 'POST') {
        last += 1;
        const id = last;
        const _links = { web: { href: `https://azure.example/b/${id}` } };
        builds.push({ id, status: 'notStarted', queueTime: app.clock.now().toISOString(), _links });
        return { status: 200, body: '' };
      }
      if (answersPage) return { status: 203, body: '<html>' };
      const url = new URL(path, receiver.url);
      if (url.pathname === '/acme/My%20Project/_apis/build/builds') {
        return json({ value: url.searchParams.get('reasonFilter') === 'resourceTrigger' ? [...builds].reverse() : [] });
      }
      return json(builds.find(({ id }) => url.pathname.endsWith(`/builds/${id}`)));
    };
  });

  test('ends its run; of two, each ends its own', async () => {
    await secret('AZURE_DEVOPS_TOKEN', 'azure-pat');
    const ids = [await started({ ...method, reportWorkflowStatus: true })];
    await lookAgain();
    ids.push(await started({ ...method, reportWorkflowStatus: true }));
    await lookAgain();
    const found = await Promise.all(ids.map(get));
    expect(found.map(({ externalRunId }) => externalRunId)).toEqual(['901', '902']);
    expect(found.map(({ link }) => link)).toEqual([['https://azure.example/b/901'], ['https://azure.example/b/902']]);
    Object.assign(builds[1] as object, { status: 'completed', result: 'failed' });
    await lookAgain();
    Object.assign(builds[0] as object, { status: 'completed', result: 'partiallySucceeded' });
    await lookAgain();
    expect((await Promise.all(ids.map(get))).map(({ status, statusLabel }) => [status, statusLabel ?? null])).toEqual([
      ['SUCCESS', null],
      ['FAILURE', 'failed'],
    ]);
    const basic = `Basic ${Buffer.from(':azure-pat').toString('base64')}`;
    const asked = receiver.received.filter(({ method: verb }) => verb === 'GET');
    expect(new Set(asked.map(({ headers }) => headers.authorization))).toEqual(new Set([basic]));
  });

  test('is not looked at without a project, a token, or being asked to', async () => {
    const ids = [
      await started({ ...method, project: undefined, reportWorkflowStatus: true }),
      await started({ ...method, reportWorkflowStatus: false }),
      await started({ ...method, project: '..', reportWorkflowStatus: true }),
      await started({ ...method, reportWorkflowStatus: true }),
    ];
    await lookAgain();
    expect(receiver.received.filter(({ method: verb }) => verb === 'GET')).toEqual([]);
    expect(await Promise.all(ids.map(readLogs))).toEqual([[], [], [], [expect.stringContaining('AZURE_DEVOPS_TOKEN')]]);
  });

  test('with a token that is not valid is given up at once', async () => {
    await secret('AZURE_DEVOPS_TOKEN', 'old');
    answersPage = true;
    const id = await started({ ...method, reportWorkflowStatus: true });
    await lookAgain();
    expect(await readLogs(id)).toEqual([expect.stringMatching(/does not accept the secret AZURE_DEVOPS_TOKEN/)]);
    expect((await get(id)).status).toBe('IN_PROGRESS');
  });
});
