import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, unique } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
let blueprint: string;
const ana = 'ana@acme.dev';
beforeAll(async () => {
  app = await createTestApp();
  blueprint = await createBlueprint(app.request, 'audited');
  const properties = { status: 'Active', port_role: 'Admin' };
  await createEntity(app.request, '_user', { identifier: ana, properties });
  await createEntity(app.request, blueprint, { identifier: 'by-a-program' });
  app.clock.advance(1000);
  const token = await app.organization.personToken(ana, 'Admin');
  for (const identifier of ['one', 'two']) {
    const path = `/v1/blueprints/${blueprint}/entities`;
    const created = await app.request('POST', path, { body: { identifier }, token });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    app.clock.advance(1000);
  }
});
afterAll(() => app.close());

interface Record {
  readonly context: { readonly entity?: string };
  readonly done?: true;
}

async function exported(query: string, token?: string): Promise<Record[]> {
  const answer = await app.request('GET', `/v1/audit-log/export?${query}`, token === undefined ? {} : { token });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return String(answer.body)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record);
}

const named = (records: readonly Record[]) => records.flatMap(({ context }) => context?.entity ?? []);

describe('an export of the audit log', () => {
  test('has what the audit log answers, record for record, and says that it is whole', async () => {
    const pages: Record[] = [];
    let next = '';
    do {
      const { body } = await app.request('GET', `/v1/audit-log?limit=2${next}`);
      pages.push(...body.audits);
      next = body.next ? `&next=${body.next}` : '';
    } while (next);
    const lines = await exported('');
    expect(lines.at(-1)).toEqual({ done: true, records: pages.length, more: null });
    expect(lines.slice(0, -1)).toEqual(pages);
    expect(pages.length).toBeGreaterThan(4);
  });

  test('is of one person, of programs, or of a time, as the audit log is', async () => {
    expect(named(await exported(`blueprint=${blueprint}&actor=${ana}&actorKind=person`))).toEqual(['two', 'one']);
    expect(named(await exported(`blueprint=${blueprint}&actorKind=machine`))).toEqual(['by-a-program']);
    expect(named(await exported(`blueprint=${blueprint}&actor=${app.organization.clientId}`))).toEqual([
      'by-a-program',
    ]);
    expect(await exported(`actor=${unique('nobody')}@acme.dev`)).toEqual([{ done: true, records: 0, more: null }]);
    const { body } = await app.request('GET', `/v1/audit-log?blueprint=${blueprint}&actor=${ana}&limit=10`);
    expect(named(body.audits)).toEqual(['two', 'one']);
    expect((await app.request('GET', '/v1/audit-log?actorKind=dog')).status).toBe(422);
  });

  test('is refused to those who may not read the whole log, and shows them one thing', async () => {
    const token = await app.organization.memberToken();
    const refused = await app.request('GET', '/v1/audit-log/export', { token });
    expect([refused.status, refused.body.error]).toEqual([403, 'missing_permissions']);
    expect(named(await exported(`blueprint=${blueprint}&entity=one`, token))).toEqual(['one']);
  });

  test('can be narrowed to sources, imports and starter models', async () => {
    expect(await exported('resources=source,import,pack,checklist')).toEqual([{ done: true, records: 0, more: null }]);
  });
});
