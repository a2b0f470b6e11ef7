import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { blueprintBody, createEntity, unique } from '../../../../test/catalog-fixtures.ts';

let app: TestApp;
let member: string;
beforeAll(async () => {
  app = await createTestApp();
  member = await app.organization.memberToken();
  await app.request('POST', '/v1/blueprints', { body: blueprintBody('service') });
  await createEntity(app.request, 'service', { identifier: 'api' });
});
afterAll(() => app.close());

const hook = (identifier: string, more: object = {}) => ({
  identifier,
  config: { type: 'WEBHOOK', url: 'https://example.com/hook' },
  ...more,
});
const form = (permissions?: object, more: object = {}) => ({
  identifier: 'form',
  config: {
    zeta: 'kept',
    type: 'SELF_SERVE_TRIGGER',
    userInputs: { properties: { size: { type: 'number' }, name: { type: 'string' } }, required: ['name'] },
    ...(permissions === undefined ? {} : { permissions }),
    ...more,
  },
});
const workflow = (identifier: string, trigger: object = form(), more: object = {}) => ({
  title: 'Deploy',
  identifier,
  nodes: [trigger, hook('call')],
  connections: [{ sourceIdentifier: 'form', targetIdentifier: 'call' }],
  ...more,
});

async function personNamed(identifier: string): Promise<string> {
  const properties = { status: 'Active', port_role: 'Member' };
  await createEntity(app.request, '_user', { identifier, title: 'Jo Doe', properties });
  return app.organization.personToken(identifier);
}
const save = (body: unknown, options: object = {}) => app.request('POST', '/v1/workflows', { body, ...options });
const put = (identifier: string, body: unknown, options: object = {}) =>
  app.request('PUT', `/v1/workflows/${identifier}`, { body, ...options });
const read = (path: string, token?: string) => app.request('GET', `/v1/workflows${path}`, token ? { token } : {});
const added = ['id', 'version', 'versionIdentifier', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy'];

describe('a workflow', () => {
  test('comes back as it was written, byte for byte, in the order of its author, also after a PUT', async () => {
    const identifier = unique('deploy');
    const body = workflow(identifier, form({}), { unknown: { b: 1, a: [] }, category: '' });
    const made = await save(body);
    expect([made.status, made.body.warnings]).toEqual([200, []]);
    const { workflow: answer } = (await read(`/${identifier}`)).body;
    expect(JSON.stringify(Object.fromEntries(Object.entries(answer).filter(([key]) => !added.includes(key))))).toBe(
      JSON.stringify(body),
    );
    expect(answer).toMatchObject({
      version: 1,
      id: expect.stringMatching(/^wf_/),
      createdBy: app.organization.clientId,
    });
    const second = { ...body, nodes: [...body.nodes, hook('late')] };
    expect((await put(identifier, second)).body.workflow).toMatchObject({ ...second, version: 2 });
  });

  test('saved again unchanged makes no version and no record', async () => {
    const identifier = unique('same');
    await save(workflow(identifier));
    const before = await app.organization.journal();
    const again = await put(identifier, (await read(`/${identifier}`)).body.workflow);
    expect([again.status, again.body.workflow.version]).toEqual([200, 1]);
    expect(await app.organization.journal()).toEqual(before);
    await put(identifier, workflow(identifier, form(), { title: 'Another' }));
    expect((await app.organization.journal()).slice(before.length)).toEqual([`workflow.updated ${identifier}`]);
  });

  test('is refused under a name that is taken, and gives its name back when it goes', async () => {
    const identifier = unique('name');
    const other = unique('other');
    await save(workflow(identifier));
    await save(workflow(other));
    expect((await save(workflow(identifier))).body.error).toBe('identifier_taken');
    expect((await put(other, workflow(identifier))).body.error).toBe('identifier_taken');
    const moved = unique('moved');
    expect((await put(other, workflow(moved))).body.workflow).toMatchObject({ identifier: moved, version: 2 });
    expect((await read(`/${other}`)).status).toBe(404);
    expect((await app.request('DELETE', `/v1/workflows/${identifier}`)).body).toEqual({ ok: true });
    expect((await app.request('DELETE', `/v1/workflows/${identifier}`)).status).toBe(404);
    expect((await read(`/${identifier}`)).body.error).toBe('not_found');
    expect((await save(workflow(identifier))).body.workflow.version).toBe(1);
  });

  test.each(['runs', 'nodes', 'validate', 'self-service-triggers', 'a b', 'x'.repeat(61), ''])(
    'cannot be called %j',
    async (identifier) => {
      const answer = await save(workflow(identifier));
      expect([answer.status, answer.body.error]).toEqual([422, 'invalid_workflow']);
      expect(answer.body.details[0]).toMatchObject({ path: '/identifier', code: 'shape' });
    },
  );

  test('that leads back to itself over others is refused, however many ways lead there', {
    timeout: 5_000,
  }, async () => {
    const names = Array.from({ length: 6 }, () => unique('chain'));
    const calls = (identifier: string, called: string) => {
      const steps = Array.from({ length: 40 }, (_, index) => ({
        identifier: `s${index}`,
        config: { type: 'RUN_WORKFLOW', workflowIdentifier: called },
      }));
      const connections = steps.map((step, index) => ({
        sourceIdentifier: steps[index - 1]?.identifier ?? 'form',
        targetIdentifier: step.identifier,
      }));
      return { identifier, nodes: [form(), ...steps], connections };
    };
    const [first = '', ...others] = names.toReversed();
    await save(workflow(first));
    let before = first;
    for (const name of others) {
      expect((await save(calls(name, before))).status).toBe(200);
      before = name;
    }
    const back = await put(first, calls(first, before));
    expect([back.status, back.body.details.length]).toEqual([422, 40]);
    const message = `leads back: ${[first, ...names].join(' → ')}`;
    expect(back.body.details[0]).toMatchObject({ code: 'recursion', message });
  });

  test('that breaks rules is told all of them at once, and nothing is stored', async () => {
    const identifier = unique('broken');
    const before = await app.organization.journal();
    const body = {
      identifier,
      nodes: [hook('a'), hook('a')],
      connections: [{ sourceIdentifier: 'a', targetIdentifier: 'b' }],
    };
    const answer = await save(body);
    expect([answer.status, answer.body.error]).toEqual([422, 'invalid_workflow']);
    expect(answer.body.details.map(({ path }: { path: string }) => path)).toEqual([
      '/nodes',
      '/nodes/1/identifier',
      '/connections/0/targetIdentifier',
    ]);
    expect(await app.organization.journal()).toEqual(before);
    const checked = await app.request('POST', '/v1/workflows/validate', { body });
    expect(checked.body).toMatchObject({ ok: true, isValid: false, issues: answer.body.details });
    for (const nonsense of [[], 'x', 5, null]) {
      const refused = await save(nonsense);
      expect([refused.status, refused.body.error]).toEqual([422, 'invalid_request']);
    }
  });

  test('follows on the version that was read, or is refused with what changed', async () => {
    const identifier = unique('race');
    await save(workflow(identifier));
    const first = workflow(identifier, form(), { title: 'First' });
    expect((await put(identifier, first, { headers: { 'if-match': '"1"' } })).status).toBe(200);
    const late = { ...workflow(identifier), nodes: [form(), hook('call'), hook('more')] };
    const refused = await put(identifier, late, { headers: { 'if-match': '"1"' } });
    expect([refused.status, refused.body.error]).toEqual([409, 'version_changed']);
    expect(refused.body.details).toMatchObject({ version: 2, expected: 1, diff: { added: [], changed: [] } });
    expect((await app.request('PUT', `/v1/workflows/${identifier}?expectedVersion=2`, { body: late })).status).toBe(
      200,
    );
    expect((await put(identifier, late, { headers: { 'if-match': 'soon' } })).body.error).toBe('invalid_request');
    const versions = (await read(`/${identifier}/versions`)).body.versions;
    expect(versions.map((each: { version: number; isCurrent: boolean }) => [each.version, each.isCurrent])).toEqual([
      [3, true],
      [2, false],
      [1, false],
    ]);
    expect((await read(`/${identifier}/versions/2`)).body.workflow).toMatchObject({ title: 'First', version: 2 });
    expect((await read(`/${identifier}/versions/9`)).status).toBe(404);
    expect((await read(`/${identifier}/versions/x`)).status).toBe(422);
  });

  test('that names what is not there is saved with a warning, and refused if strict', async () => {
    const nodes = [
      form({ users: ['nobody@example.com'], teams: ['nobodies'] }),
      { identifier: 'write', config: { type: 'UPSERT_ENTITY', blueprintIdentifier: 'nothing', mapping: {} } },
      { identifier: 'ask', config: { type: 'AI_AGENT', agentIdentifier: 'nobody', userPrompt: 'Hi' } },
      hook('call', { config: { type: 'WEBHOOK', url: 'https://example.com/{{ .secrets.none }}' } }),
    ];
    const chain = ['form', 'write', 'ask', 'call'];
    const connections = chain.slice(1).map((target, at) => ({ sourceIdentifier: chain[at], targetIdentifier: target }));
    const identifier = unique('loose');
    const saved = await save({ identifier, nodes, connections });
    const paths = saved.body.warnings.map((each: { path: string; code: string }) => [each.code, each.path]);
    expect(paths).toEqual([
      ['unresolved_reference', '/nodes/0/config/permissions/users/0'],
      ['unresolved_reference', '/nodes/0/config/permissions/teams/0'],
      ['unresolved_reference', '/nodes/1/config/blueprintIdentifier'],
      ['unresolved_reference', '/nodes/2/config/agentIdentifier'],
      ['unresolved_reference', '/nodes/3/config/url'],
    ]);
    const strict = await app.request('POST', '/v1/workflows?strict=true', {
      body: { identifier: `${identifier}2`, nodes, connections },
    });
    expect([strict.status, strict.body.details.length]).toEqual([422, 5]);
  });
});

describe('who may start and see a workflow', () => {
  const listed = async (token: string) =>
    (await read('', token)).body.workflows.map(({ identifier }: { identifier: string }) => identifier);
  const forms = async (token: string) =>
    (await read('/self-service-triggers', token)).body.triggers.map(
      (each: { workflowIdentifier: string }) => each.workflowIdentifier,
    );

  test('is administrators, and whoever a published trigger names', async () => {
    const hidden = unique('hidden');
    const open = unique('open');
    const off = unique('off');
    await save(workflow(hidden));
    await save(workflow(open, form({ roles: ['Member'] })));
    await save(workflow(off, form({ roles: ['Member'] }, { published: false })));
    expect(await listed(member)).toContain(open);
    expect(await listed(member)).not.toContain(hidden);
    expect(await listed(member)).not.toContain(off);
    expect(await forms(member)).toContain(open);
    expect(await forms(member)).not.toContain(off);
    for (const path of ['', '/versions', '/versions/1', '/nodes/form', '/nodes/form/permissions']) {
      const foreign = await read(`/${unique('none')}${path}`, member);
      const unseen = await read(`/${hidden}${path}`, member);
      expect([unseen.status, unseen.body.error]).toEqual([foreign.status, foreign.body.error]);
      expect([unseen.status, (await read(`/${open}${path}`, member)).status]).toEqual([404, 200]);
    }
    for (const [method, path] of [
      ['POST', ''],
      ['PUT', `/${open}`],
      ['DELETE', `/${open}`],
      ['POST', '/validate'],
      ['PATCH', `/${open}/nodes/form/permissions`],
    ] as const) {
      const body = method === 'DELETE' ? undefined : workflow(open);
      expect((await app.request(method, `/v1/workflows${path}`, { body, token: member })).status).toBe(403);
    }
  });

  test('a person by address or team, and by a team made later under its name not', async () => {
    const token = await personNamed('pat@example.com');
    const byAddress = unique('address');
    const byTeam = unique('team');
    await save(workflow(byAddress, form({ users: ['pat@example.com'] })));
    await save(workflow(byTeam, form({ teams: ['later'] })));
    expect(await listed(token)).toContain(byAddress);
    await createEntity(app.request, '_team', { identifier: 'later', title: 'Later' });
    const person = '/v1/blueprints/_user/entities/pat@example.com';
    const joined = await app.request('PATCH', person, { body: { team: ['later'] } });
    expect(joined.status, JSON.stringify(joined.body)).toBe(200);
    // what a token stands for is looked up again after a moment
    const current = await app.organization.personToken('pat@example.com');
    expect(await listed(current)).not.toContain(byTeam);
    // saved again, the name means the team that is there now
    await put(byTeam, workflow(byTeam, form({ teams: ['later'] }), { title: 'Again' }));
    expect(await listed(current)).toContain(byTeam);
  });

  test('by a policy over the person and the inputs', async () => {
    const token = await personNamed('sam@example.com');
    const rule = (context: string, property: string, operator: string, value: unknown) => ({
      property: { context, property },
      operator,
      value,
    });
    const isSam = rule('user', 'email', '=', 'sam@example.com');
    const policy = (...rules: object[]) => ({ combinator: 'and', rules });
    const seen = unique('policy');
    await save(workflow(seen, form({ policy: policy(isSam) })));
    const byInput = unique('input');
    await save(workflow(byInput, form({ policy: policy(isSam, rule('form', 'name', '=', 'api')) })));
    const empty = unique('empty');
    await save(workflow(empty, form({ policy: policy() })));
    expect(await listed(token)).toContain(seen);
    expect(await listed(token)).not.toContain(empty);
    expect(await listed(member)).not.toContain(seen);
    const start = (name: string) =>
      app.request('POST', `/v1/workflows/${byInput}/runs`, { token, body: { inputs: { name } } });
    expect((await start('other')).status).toBe(404);
    expect((await start('api')).status).toBe(200);
  });

  test('a restricted token gives nobody more than it holds', async () => {
    const scopes = ['create:actions', 'read:actions', 'update:actions'];
    const made = await app.request('POST', '/v1/users/me/tokens', { body: { name: unique('narrow'), scopes } });
    const narrow = made.body.accessToken;
    const identifier = unique('narrow');
    const own = await save(workflow(identifier), { token: narrow });
    expect(own.body.warnings.map(({ code }: { code: string }) => code)).toEqual(['restricted_token']);
    const given = await put(identifier, workflow(identifier, form({ roles: ['Member'] })), { token: narrow });
    expect([given.status, given.body.error]).toEqual([403, 'insufficient_scope']);
    expect((await read(`/${identifier}`)).body.workflow.version).toBe(1);
  });
});

describe('permissions of a node', () => {
  test('are set, merged and taken away, each in a version of its own', async () => {
    const identifier = unique('permissions');
    await save(workflow(identifier));
    const path = `/v1/workflows/${identifier}/nodes/form/permissions`;
    const ask = async (method: string, body?: unknown) => (await app.request(method, path, { body })).body.permissions;
    expect(await ask('GET')).toEqual({});
    expect(await ask('POST', { roles: ['Member'], users: ['a@example.com'] })).toEqual({
      roles: ['Member'],
      users: ['a@example.com'],
    });
    expect(await ask('PATCH', { users: null, teams: ['red'] })).toEqual({ roles: ['Member'], teams: ['red'] });
    expect((await read(`/${identifier}`)).body.workflow).toMatchObject({ version: 3 });
    expect(await ask('DELETE')).toEqual({});
    expect((await read(`/${identifier}`)).body.workflow.nodes).toEqual([form(), hook('call')]);
    const wrong = await app.request('PATCH', `/v1/workflows/${identifier}/nodes/call/permissions`, {
      body: { roles: [] },
    });
    expect([wrong.status, wrong.body.error]).toEqual([422, 'invalid_workflow']);
    expect(
      (await app.request('PATCH', `/v1/workflows/${identifier}/nodes/none/permissions`, { body: {} })).status,
    ).toBe(404);
  });
});

describe('the form of a trigger', () => {
  const rules = {
    validations: [{ constraint: '.form.size > 2', message: 'Take more than two' }],
  };

  test('is checked as those of actions are, with the messages of its author', async () => {
    const identifier = unique('form');
    const trigger = form({ roles: ['Member'] });
    await save(
      workflow(identifier, {
        ...trigger,
        config: { ...trigger.config, userInputs: { ...trigger.config.userInputs, ...rules } },
      }),
    );
    const evaluate = async (inputs: object) =>
      (await app.request('POST', `/v1/workflows/${identifier}/nodes/form/form`, { token: member, body: { inputs } }))
        .body.form;
    expect((await evaluate({ size: 1 })).issues).toEqual([
      { path: '/inputs/name', message: 'is required' },
      { path: '/inputs', message: 'Take more than two' },
    ]);
    expect(await evaluate({ size: 3, name: 'x' })).toMatchObject({
      issues: [],
      mayRun: true,
      inputs: { name: { isRequired: true } },
    });
    const start = (body: object) => app.request('POST', `/v1/workflows/${identifier}/runs`, { token: member, body });
    const refused = await start({ inputs: { size: null, other: 1 } });
    expect(refused.status).toBe(422);
    expect(refused.body.details.map(({ path }: { path: string }) => path).sort()).toEqual([
      '/inputs',
      '/inputs/name',
      '/inputs/other',
    ]);
    expect((await start({ inputs: { size: 3, name: 'x' } })).status).toBe(200);
  });

  test('of an unpublished trigger starts nothing', async () => {
    const identifier = unique('unpublished');
    await save(workflow(identifier, form({ roles: ['Member'] }, { published: false })));
    const start = (token?: string) =>
      app.request('POST', `/v1/workflows/${identifier}/runs`, {
        body: { inputs: { name: 'x' } },
        ...(token ? { token } : {}),
      });
    const administrator = await start();
    expect([administrator.status, administrator.body.error]).toEqual([409, 'trigger_unpublished']);
    expect((await start(member)).status).toBe(404);
  });
});
