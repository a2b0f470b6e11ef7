import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, issuePaths } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
const pat = 'pat@example.com';
beforeAll(async () => {
  app = await createTestApp();
  await createEntity(app.request, '_team', { identifier: 'crew', title: 'The Crew' });
  const account = { status: 'Active', port_role: 'Member' };
  await createEntity(app.request, '_user', { identifier: pat, team: 'crew', properties: account });
  const gone = { ...account, status: 'Disabled', port_role: 'Admin' };
  await createEntity(app.request, '_user', { identifier: 'gone@example.com', properties: gone });
  const chief = { ...account, port_role: 'Admin' };
  await createEntity(app.request, '_user', { identifier: 'chief@example.com', properties: chief });
});
afterAll(() => app.close());

let name: string;
beforeEach(async () => {
  name = await createBlueprint(app.request, 'told', {
    properties: { stage: { type: 'string' }, note: { type: 'string' } },
    relations: { of: { target: '_team' } },
    ownership: { type: 'Direct' },
  });
  await createEntity(app.request, name, {
    identifier: 'mine',
    title: 'M',
    team: 'crew',
    properties: { stage: 'open' },
  });
  await createEntity(app.request, name, { identifier: 'ghostly', title: 'G', team: ['ghost'] });
});

const staged = { combinator: 'and', rules: [{ property: 'stage', operator: '=', value: 'open' }] };
const allow = async (rights: unknown) => {
  const body = { entities: rights };
  const answer = await app.request('PATCH', `/v1/blueprints/${name}/permissions`, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
};
const ask = (what: string, body: object, token?: string) =>
  app.request('POST', `/v1/blueprints/${name}/permissions/${what}`, { body, ...(token ? { token } : {}) });
const explain = async (body: object) => {
  const answer = await ask('explain', { user: pat, operation: 'read', entity: 'mine', ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const outcomes = (body: { checks: { rule: string; outcome: string }[] }) =>
  body.checks.slice(0, 5).map(({ rule, outcome }) => [rule, outcome]);

describe('explain', () => {
  test('asks the rules in their order and stops at the one that allows it', async () => {
    const denied = ['not_granted', 'not_granted', 'not_granted', 'not_granted'];
    const rules = ['role', 'ownedByTeam', 'team', 'user', 'policy'];
    const base = { roles: ['Admin'], ownedByTeam: false, teams: ['ghost'], users: ['x@example.com'], policy: staged };
    await allow({ read: base });
    expect(outcomes(await explain({}))).toEqual([
      ['role', 'not_granted'],
      ['ownedByTeam', 'not_set'],
      ['team', 'not_granted'],
      ['user', 'not_granted'],
      ['policy', 'granted'],
    ]);
    const refused = await explain({ entity: 'ghostly' });
    expect([refused.allowed, refused.rule, outcomes(refused)[4]]).toEqual([false, null, ['policy', 'not_granted']]);
    const granting = [{ roles: ['Member'] }, { ownedByTeam: true }, { teams: ['crew'] }, { users: [pat] }];
    for (const [index, grant] of granting.entries()) {
      const { allowed, rule, grant: by, checks } = await explain({ permissions: { entities: { read: grant } } });
      expect([allowed, rule, by, checks.length]).toEqual([true, rules[index], 'read', index + 1]);
      const before = checks.slice(0, -1).map(({ outcome }: { outcome: string }) => outcome);
      expect(before.filter((each: string) => each !== 'not_set')).toEqual(
        denied.slice(0, index).filter((_each, at) => !(at === 1)),
      );
    }
  });

  test('says that a team which resolved to nothing never grants', async () => {
    await allow({ read: { roles: ['Admin'], ownedByTeam: true } });
    const { allowed, why } = await explain({ entity: 'ghostly' });
    expect([allowed, why]).toEqual([false, expect.stringContaining('"ghost" resolved to no team and never grants')]);
  });

  test('names the right to write that implies reading', async () => {
    await allow({ read: { roles: ['Admin'] }, updateProperties: { note: { teams: ['crew'] } } });
    expect(await explain({})).toMatchObject({ allowed: true, rule: 'team', grant: 'updateProperties.note' });
  });

  test('tells of update which parts may be set, and of one part alone', async () => {
    await allow({ updateProperties: { note: { policy: staged } } });
    const told = await explain({ operation: 'update' });
    expect(told.allowed).toBe(false);
    const may = told.parts.filter(({ allowed }: { allowed: boolean }) => allowed);
    expect(may).toMatchObject([{ part: 'updateProperties', key: 'note', rule: 'policy' }]);
    expect(await explain({ operation: 'update', property: 'note' })).toMatchObject({ allowed: true });
    expect(await explain({ operation: 'update', property: '$title' })).toMatchObject({ allowed: false });
    expect(await explain({ operation: 'update', relation: 'of' })).toMatchObject({ allowed: false });
  });

  test('judges a draft as registering it would', async () => {
    await allow({ register: { ownedByTeam: true }, updateProperties: { stage: { roles: ['Member'] } } });
    const token = await app.organization.personToken(pat);
    const drafts = [
      { team: 'crew', title: 'D' },
      { team: 'nobody' },
      { properties: { stage: 'x' }, team: ['crew'] },
      { properties: { note: 'x' } },
      {},
    ];
    await allow({ updateProperties: { $team: { roles: ['Member'] } } });
    for (const [index, draft] of drafts.entries()) {
      const entity = { ...draft, identifier: `d${index}` };
      const told = await explain({ operation: 'register', entity });
      const done = await app.request('POST', `/v1/blueprints/${name}/entities`, { body: entity, token });
      expect([done.status, told.allowed], JSON.stringify([draft, done.body])).toEqual(
        told.allowed ? [201, true] : [403, false],
      );
    }
    expect((await explain({ operation: 'register', entity: { team: 'nobody' } })).warnings).toHaveLength(1);
  });

  test('tells of accounts: administrators may, who is disabled may not', async () => {
    await allow({ read: { roles: [] } });
    expect(await explain({ user: 'chief@example.com' })).toMatchObject({ allowed: true, rule: 'role' });
    expect(await explain({ user: 'gone@example.com' })).toMatchObject({
      allowed: false,
      checks: [{ rule: 'account' }],
    });
  });

  test.each([
    [{ user: 7 }, 422, ['/user']],
    [{ operation: 'rename' }, 422, ['/operation']],
    [{ entity: { properties: { nothing: 1 } } }, 422, ['/entity/properties/nothing']],
    [{ entity: { relations: { nothing: 'x' } } }, 422, ['/entity/relations/nothing']],
    [{ operation: 'update', property: 'nothing' }, 422, ['/property']],
    [{ operation: 'read', relation: 'of' }, 422, ['/relation']],
    [{ operation: 'update', property: 'note', relation: 'of' }, 422, ['/property']],
    [{ extra: 1 }, 422, ['/extra']],
    [
      { permissions: { entities: { updateProperties: { nothing: {} } } } },
      422,
      ['/permissions/entities/updateProperties/nothing'],
    ],
    [
      { permissions: { entities: { read: { policy: { rules: [] } } } } },
      422,
      ['/permissions/entities/read/policy/combinator'],
    ],
  ])('refuses %j', async (body, status, paths) => {
    const answer = await ask('explain', { user: pat, operation: 'read', entity: 'mine', ...body });
    expect([answer.status, issuePaths(answer.body)], JSON.stringify(answer.body)).toEqual([status, paths]);
  });

  test('is for administrators, and finds only what is there', async () => {
    const body = { user: pat, operation: 'read', entity: 'mine' };
    const token = await app.organization.personToken(pat);
    expect((await ask('explain', body, token)).status).toBe(403);
    for (const missing of [{ user: 'nobody@example.com' }, { entity: 'nothing' }]) {
      expect((await ask('explain', { ...body, ...missing })).body.error).toBe('not_found');
    }
  });
});

describe('simulate', () => {
  const simulate = async (body: object) => {
    const answer = await ask('simulate', { user: pat, operation: 'read', ...body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };
  const ids = (body: { entities: { identifier: string }[] }) => body.entities.map(({ identifier }) => identifier);

  test('tries rights that are not saved, tells what they change, and saves nothing', async () => {
    const permissions = { entities: { read: { roles: ['Admin'], policy: staged } } };
    const before = (await app.request('GET', `/v1/blueprints/${name}/permissions`)).body;
    // a run of the assistant that another test began may end meanwhile
    const changes = async () => (await app.organization.journal()).filter((line) => line.startsWith('blueprint'));
    const written = await changes();
    const told = await simulate({ permissions });
    expect(told.entities).toMatchObject([{ identifier: 'mine', allowed: true, allowedBefore: true, rule: 'policy' }]);
    expect(told.counts).toEqual({ total: 2, allowed: 1, allowedBefore: 2 });
    expect(ids(await simulate({ permissions, show: 'changed' }))).toEqual(['ghostly']);
    expect(ids(await simulate({ permissions, show: 'refused' }))).toEqual(['ghostly']);
    expect(ids(await simulate({ permissions, show: 'all' }))).toEqual(['mine', 'ghostly']);
    expect((await app.request('GET', `/v1/blueprints/${name}/permissions`)).body).toEqual(before);
    expect(await changes()).toEqual(written);
  });

  test('goes page by page, each entity once', async () => {
    for (let index = 0; index < 5; index += 1) await createEntity(app.request, name, { identifier: `p${index}` });
    const seen: string[] = [];
    let from: string | undefined;
    do {
      const page = await simulate({ limit: 3, ...(from ? { from } : {}) });
      seen.push(...ids(page));
      expect(page.counts === undefined).toBe(from !== undefined);
      from = page.next;
    } while (from);
    expect(seen).toEqual(['mine', 'ghostly', 'p0', 'p1', 'p2', 'p3', 'p4']);
    expect((await ask('simulate', { user: pat, operation: 'read', from: 'x' })).status).toBe(422);
  });

  test('finds nothing for who is disabled', async () => {
    expect(await simulate({ user: 'gone@example.com' })).toMatchObject({ entities: [], counts: { allowed: 0 } });
  });
});

test('of invocations it tells by who asked', async () => {
  await app.request('PATCH', '/v1/blueprints/_ai_invocations/permissions', {
    body: { entities: { register: { roles: ['Member'] } } },
  });
  const token = await app.organization.personToken(pat);
  const headers = { prefer: 'respond-async' };
  const asked = await app.request('POST', '/v1/ai/invoke', { body: { prompt: 'hi' }, headers, token });
  const entity = asked.body.invocation.identifier;
  expect((await app.request('GET', entityPath('_ai_invocations', entity), { token })).status).toBe(200);
  const body = { user: pat, operation: 'read', entity };
  const path = '/v1/blueprints/_ai_invocations/permissions/explain';
  expect((await app.request('POST', path, { body })).body).toMatchObject({ allowed: true, rule: 'personal' });
});
