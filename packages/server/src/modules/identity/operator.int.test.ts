import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createEntity, issuePaths } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const path = '/v1/operator/organizations';

describe('create', () => {
  test('answers the organization with its limits, and credentials that work', async () => {
    const answer = await app.operator('POST', path, { body: { name: '  Halyard  ' } });
    expect(answer.status).toBe(201);
    const now = app.clock.now().toISOString();
    expect(answer.body.organization).toEqual({
      id: expect.stringMatching(/^org_[A-Za-z0-9]{16}$/),
      name: 'Halyard',
      model: 'blueprints',
      cutover: { stage: 'cutover', operatorUpdated: true },
      plan: 'enterprise',
      quotas: { monthlyInvocations: 20_000, hourlyRequests: 12_000, hourlyTokens: 30_000_000 },
      createdAt: now,
      updatedAt: now,
    });
    const token = await app.operator('POST', '/v1/auth/access_token', { body: answer.body.credentials });
    expect(token.status).toBe(200);
  });

  test.each([
    ['free', 50],
    ['standard', 500],
    ['enterprise', 20_000],
  ])('plan %s has %i invocations a month', async (plan, monthlyInvocations) => {
    const answer = await app.operator('POST', path, { body: { name: 'Plan', plan, quotas: { hourlyTokens: 7 } } });
    expect(answer.body.organization).toMatchObject({
      plan,
      quotas: { monthlyInvocations, hourlyRequests: 12_000, hourlyTokens: 7 },
    });
  });

  test('one born legacy has neither users nor teams as blueprints', async () => {
    const organization = await app.createOrganization({ model: 'legacy', createdAt: '2024-03-01T00:00:00Z' });
    const listed = await organization.request('GET', '/v1/blueprints');
    const names = listed.body.blueprints.map((blueprint: { identifier: string }) => blueprint.identifier);
    expect(names.sort()).toEqual(['_ai_agent', '_ai_invocations', '_rule', '_rule_result', '_scorecard']);
    expect((await organization.request('GET', '/v1/blueprints/_user')).status).toBe(404);
    expect((await organization.request('GET', '/v1/blueprints/_team')).status).toBe(404);
    const invocations = await organization.request('GET', '/v1/blueprints/_ai_invocations');
    expect(Object.keys(invocations.body.blueprint.relations)).toEqual(['agent']);
    const read = await app.operator('GET', `${path}/${organization.id}`);
    expect(read.body.organization).toMatchObject({ model: 'legacy', createdAt: '2024-03-01T00:00:00.000Z' });
  });

  test('one born beta keeps memberships in a relation of the user', async () => {
    const organization = await app.createOrganization({ model: 'beta' });
    const { body } = await organization.request('GET', '/v1/blueprints/_user');
    expect(body.blueprint.relations.teams).toMatchObject({ target: '_team', many: true, required: false });
    expect(body.blueprint.teamInheritance).toEqual({ path: 'teams' });
    expect(body.blueprint.ownership).toBeUndefined();
  });

  test('a stage that is set is pinned; a scheduled one waits for its instant', async () => {
    const pinned = await app.operator('POST', path, { body: { name: 'P', cutover: { stage: 'transition' } } });
    expect(pinned.body.organization.cutover).toEqual({ stage: 'transition', operatorUpdated: false });
    const scheduledAt = new Date(app.clock.now().getTime() + 86_400_000).toISOString();
    const waiting = await app.operator('POST', path, { body: { name: 'S', cutover: { scheduledAt } } });
    expect(waiting.body.organization.cutover).toEqual({
      stage: 'schema_testing',
      operatorUpdated: false,
      scheduledAt,
    });
    app.clock.advance(86_400_000);
    const moved = await app.operator('GET', `${path}/${waiting.body.organization.id}`);
    expect(moved.body.organization.cutover).toEqual({ stage: 'cutover', operatorUpdated: true, scheduledAt });
  });

  test('422 names every field that is wrong, and makes nothing', async () => {
    const before = await app.count('credentials');
    const answer = await app.operator('POST', path, {
      body: { name: ' ', model: 'v2', plan: 'gold', quotas: { daily: 1, hourlyTokens: -1 }, cutover: { at: 1 }, x: 1 },
    });
    expect(answer.status).toBe(422);
    expect(issuePaths(answer.body).sort()).toEqual(
      ['/cutover/at', '/model', '/name', '/plan', '/quotas/daily', '/quotas/hourlyTokens', '/x'].sort(),
    );
    expect(await app.count('credentials')).toBe(before);
  });
});

describe('list', () => {
  test('pages through all of them, each once', async () => {
    for (let index = 0; index < 3; index += 1) await app.createOrganization();
    const whole = await app.operator('GET', `${path}?limit=`);
    expect(whole.status).toBe(200);
    const seen: string[] = [];
    let from = '';
    do {
      const page = await app.operator('GET', `${path}?limit=2&from=${from}`);
      expect(page.body.organizations.length).toBeLessThanOrEqual(2);
      seen.push(...page.body.organizations.map(({ id }: { id: string }) => id));
      from = page.body.next ?? '';
    } while (from);
    expect(seen).toEqual(whole.body.organizations.map(({ id }: { id: string }) => id));
    expect(new Set(seen).size).toBe(seen.length);
  });

  test.each(['0', '1001', 'x', '1.5'])('422 for limit=%s', async (limit) => {
    const answer = await app.operator('GET', `${path}?limit=${limit}`);
    expect(answer.status).toBe(422);
    expect(issuePaths(answer.body)).toEqual(['{query}/limit']);
  });

  test('never shows a secret', async () => {
    expect(JSON.stringify((await app.operator('GET', path)).body)).not.toContain('ecret');
  });
});

describe('patch', () => {
  test('changes what is named and keeps the rest', async () => {
    const { id } = await app.createOrganization({ name: 'Before', quotas: { hourlyTokens: 5 } });
    const answer = await app.operator('PATCH', `${path}/${id}`, {
      body: { name: 'After', plan: 'free', quotas: { hourlyRequests: 6 }, cutover: { stage: 'legacy' } },
    });
    expect(answer.status).toBe(200);
    expect(answer.body.organization).toMatchObject({
      name: 'After',
      plan: 'free',
      quotas: { monthlyInvocations: 50, hourlyRequests: 6, hourlyTokens: 5 },
      cutover: { stage: 'legacy', operatorUpdated: false },
    });
    const read = await app.operator('GET', `${path}/${id}`);
    expect(read.body.organization).toEqual(answer.body.organization);
  });

  test('422 for the model, which nobody changes this way, with nothing written', async () => {
    const organization = await app.createOrganization({ name: 'Kept' });
    const before = await organization.journal();
    const answer = await app.operator('PATCH', `${path}/${organization.id}`, { body: { name: 'No', model: 'legacy' } });
    expect(answer.status).toBe(422);
    expect(issuePaths(answer.body)).toEqual(['/model']);
    expect((await app.operator('GET', `${path}/${organization.id}`)).body.organization.name).toBe('Kept');
    expect(await organization.journal()).toEqual(before);
  });
});

describe('delete', () => {
  test('takes every row of the organization along, and of no other', async () => {
    const kept = await app.createOrganization();
    const removed = await app.createOrganization();
    for (const { request } of [kept, removed]) {
      await createEntity(request, '_team', { identifier: 'crew', title: 'Crew' });
      await createEntity(request, '_user', {
        identifier: 'jo@example.com',
        team: 'crew',
        properties: { status: 'Active', port_role: 'Member' },
      });
    }
    const tables = await app.tenantTables();
    const countAll = async (orgId: string) => Promise.all(tables.map((table) => app.count(table, orgId)));
    const keptBefore = await countAll(kept.id);
    expect((await countAll(removed.id)).filter((count) => count > 0).length).toBeGreaterThan(6);
    expect((await app.operator('DELETE', `${path}/${removed.id}`)).body).toEqual({ ok: true });
    expect(await countAll(removed.id)).toEqual(tables.map(() => 0));
    expect(await countAll(kept.id)).toEqual(keptBefore);
    expect((await app.operator('GET', `${path}/${removed.id}`)).status).toBe(404);
    const { clientId, clientSecret } = removed;
    const token = await app.operator('POST', '/v1/auth/access_token', { body: { clientId, clientSecret } });
    expect(token.status).toBe(401);
  });
});

describe('404', () => {
  test.each(['GET', 'PATCH', 'DELETE'])('%s of an organization that is not there', async (method) => {
    const body = method === 'PATCH' ? { name: 'x' } : undefined;
    const answer = await app.operator(method, `${path}/org_none`, { body });
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ error: 'not_found', details: { resource: 'Organization' } });
  });
});

describe('401', () => {
  test.each([
    ['POST', ''],
    ['GET', ''],
    ['GET', '/org_none'],
    ['PATCH', '/org_none'],
    ['DELETE', '/org_none'],
  ])('%s %s without the operator token', async (method, rest) => {
    for (const token of [null, 'wrong', app.organization.token]) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : { name: 'x' };
      const answer = await app.request(method, path + rest, { token, body });
      expect([answer.status, answer.body.error]).toEqual([401, 'unauthorized']);
    }
  });
});
