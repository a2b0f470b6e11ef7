import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { issuePaths, unique } from '../../../../test/catalog-fixtures.ts';
import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const path = '/v1/organization/secrets';
const value = 'a very particular value';

async function create(body: object = {}) {
  const secretName = unique('SECRET_');
  const answer = await app.request('POST', path, { body: { secretName, secretValue: value, ...body } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.secret.secretName as string;
}

const revealed = (name: string, orgId = app.organization.id) =>
  app.app.identity.secretValue(orgId, name, createSecretScope());

describe('a secret', () => {
  test('can be used by the platform and is shown nowhere', async () => {
    const name = await create({ description: 'For the build' });
    expect(await revealed(name)).toBe(value);
    const moment = app.clock.now().toISOString();
    const shown = { secretName: name, description: 'For the build', createdAt: moment, updatedAt: moment };
    expect((await app.request('GET', `${path}/${name}`)).body).toEqual({ ok: true, secret: shown });
    expect((await app.request('GET', path)).body.secrets).toContainEqual(shown);
    const stored = await app.database.rows<{ text: string }>(sql`
      select s::text as text from organization_secrets s where s.org_id = ${app.organization.id}
      union all select j::text from journal j where j.org_id = ${app.organization.id}`);
    expect(stored.map(({ text }) => text).join()).toContain(name);
    expect(stored.map(({ text }) => text).join()).not.toContain(value);
  });

  test('is changed in value, description or both; the audit log tells which and not what', async () => {
    const name = await create({ description: 'Old' });
    const patch = (body: object) => app.request('PATCH', `${path}/${name}`, { body });
    app.clock.advance(1000);
    const described = await patch({ description: '', secretName: name });
    expect(described.body.secret).toMatchObject({ description: '', updatedAt: app.clock.now().toISOString() });
    expect(await revealed(name)).toBe(value);
    expect((await patch({ secretValue: 'another' })).body.secret.description).toBe('');
    expect(await revealed(name)).toBe('another');
    const { body } = await app.request('GET', '/v1/audit-log?resources=secret&limit=2');
    const changed = body.audits.map(
      ({ diff }: { diff: { after: { valueChanged: boolean } } }) => diff.after.valueChanged,
    );
    expect(changed).toEqual([true, false]);
    expect(JSON.stringify(body)).not.toContain('another');
  });

  test('is deleted once, and its name is free again', async () => {
    const name = await create();
    expect((await app.request('DELETE', `${path}/${name}`)).body).toEqual({ ok: true });
    expect(await revealed(name)).toBeUndefined();
    for (const method of ['GET', 'DELETE', 'PATCH']) {
      const answer = await app.request(method, `${path}/${name}`, method === 'PATCH' ? { body: {} } : {});
      expect([method, answer.status, answer.body.error]).toEqual([method, 404, 'not_found']);
    }
    expect(await create({ secretName: name })).toBe(name);
  });

  test('has a name of its own; the one that was there keeps its value', async () => {
    const name = await create();
    const body = { secretName: name, secretValue: 'stolen' };
    const answers = await Promise.all([1, 2, 3].map(() => app.request('POST', path, { body })));
    expect(answers.map(({ status, body: { error } }) => [status, error])).toEqual(
      Array(3).fill([409, 'identifier_taken']),
    );
    expect(await revealed(name)).toBe(value);
  });

  test('does not open for another organization that has the same sealed text', async () => {
    const name = await create();
    const other = await app.createOrganization();
    await app.database.transaction((tx) =>
      tx.execute(sql`
        insert into organization_secrets (org_id, name, description, sealed, created_at, updated_at)
        select ${other.id}, s.name, s.description, s.sealed, s.created_at, s.updated_at from organization_secrets s
        where s.org_id = ${app.organization.id} and s.name = ${name}`),
    );
    await expect(revealed(name, other.id)).rejects.toThrow();
  });

  test.each([
    [{}, ['/secretName', '/secretValue']],
    [{ secretName: 'a b', secretValue: 'x' }, ['/secretName']],
    [{ secretName: 'x'.repeat(101), secretValue: 'x' }, ['/secretName']],
    [{ secretName: 'a', secretValue: '' }, ['/secretValue']],
    [{ secretName: 'a', secretValue: 'x'.repeat(65_537) }, ['/secretValue']],
    [{ secretName: 'a', secretValue: 1, description: 'x'.repeat(201) }, ['/description', '/secretValue']],
    [{ secretName: 'a', secretValue: 'x', more: true }, ['/more']],
  ])('is refused: %#', async (body, paths) => {
    const before = await app.count('organization_secrets');
    const answer = await app.request('POST', path, { body });
    expect([answer.status, issuePaths(answer.body).sort()]).toEqual([422, paths]);
    expect(JSON.stringify(answer.body)).not.toContain('xxxx');
    expect(await app.count('organization_secrets')).toBe(before);
  });

  test('of more than the largest body is refused unread', async () => {
    const body = { secretName: 'a', secretValue: 'x'.repeat(1024 * 1024) };
    expect((await app.request('POST', path, { body })).status).toBe(413);
  });
});

test('members neither see nor change secrets', async () => {
  const name = await create();
  const token = await app.organization.memberToken();
  for (const [method, target, body] of [
    ['GET', path, undefined],
    ['GET', `${path}/${name}`, undefined],
    ['POST', path, { secretName: 'mine', secretValue: 'x' }],
    ['PATCH', `${path}/${name}`, { secretValue: 'x' }],
    ['DELETE', `${path}/${name}`, undefined],
  ] as const) {
    expect((await app.request(method, target, { token, body })).status).toBe(403);
  }
  expect(await revealed(name)).toBe(value);
});
