import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, type Entity } from '../../../test/catalog-fixtures.ts';
import { unchanged } from '../accounts/index.ts';
import { setBlueprintRights } from '../blueprints/index.ts';
import type { EntityRights } from '../rights/index.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const admins = { roles: ['Admin'] };
const noted = { roles: ['Admin'], policy: { combinator: 'and', rules: [{ property: 'n', operator: '=', value: 1 }] } };
const rights: Readonly<Record<string, EntityRights>> = {
  barred: { update: admins, unregister: admins },
  hidden: { read: admins, register: admins, update: admins, unregister: admins },
  policed: { update: noted, unregister: noted },
};

const refusals = {
  forbidden: 'missing_permissions: You may not unregister entities of the blueprint "target"',
  missing: 'not_found: Entity with identifier "c" of the blueprint "target" was not found',
  changed: 'stale_version: It was changed after the migration and is left as it is',
  needed: 'has_dependents: Other entities require it: needing/x. Delete them too with delete_dependents=true.',
};

/**
 * The migration makes `a` and `b`, and changes `c`, whose `n` was 3. Undone with these faults, what is left, and why
 * each of them stays.
 */
const table = `
  none           | c=3
  barred         | a=1 b=2 c=3; a forbidden; b forbidden
  hidden         | a=1 b=2 c=1; a forbidden; b forbidden; c missing
  policed        | b=2 c=3; b forbidden
  stale          | a=1 c=1; a changed; c changed
  needed         | a=1 c=3; a needed
  barred stale   | a=1 b=2 c=1; a changed; b forbidden; c changed
  barred needed  | a=1 b=2 c=3; a forbidden; b forbidden
  hidden stale   | a=1 b=2 c=1; a changed; b forbidden; c changed
  hidden needed  | a=1 b=2 c=1; a forbidden; b forbidden; c missing
  policed stale  | a=1 b=2 c=1; a changed; b forbidden; c changed
  policed needed | a=1 b=2 c=3; a needed; b forbidden
  stale needed   | a=1 c=1; a changed; c changed
`
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()) as [faults: string, outcome: string]);

test.each(table)('%s: what is not brought back, and why', async (faults, outcome) => {
  const { request, id } = app.organization;
  const source = await createBlueprint(request, 'source', { properties: { n: { type: 'number' } } });
  const target = await createBlueprint(request, 'target', { properties: { n: { type: 'number' } } });
  const needing = await createBlueprint(request, 'needing', { relations: { to: { target, required: true } } });
  for (const [identifier, n] of Object.entries({ a: 1, b: 2, c: 1 })) {
    await createEntity(request, source, { identifier, properties: { n } });
  }
  await createEntity(request, target, { identifier: 'c', properties: { n: 3 } });
  const moderator = `${target}@example.com`.toLowerCase();
  const properties = { status: 'Active', port_role: 'Moderator', moderated_blueprints: [source, target] };
  await createEntity(request, '_user', { identifier: moderator, properties });
  const token = await app.organization.personToken(moderator);
  const finished = async (path: string, body: object) => {
    const begun = await request('POST', `/v1/migrations${path}`, { token, body });
    expect(begun.status, JSON.stringify(begun.body)).toBe(200);
    await app.app.jobs.drain();
    return begun.body.migrationId;
  };
  const mapping = { blueprint: target, entity: { properties: { n: '.properties.n' } } };
  const migration = await finished('', { sourceBlueprint: source, mapping });
  const has = (fault: string) => faults.split(' ').includes(fault);
  if (has('needed')) await createEntity(request, needing, { identifier: 'x', relations: { to: 'a' } });
  if (has('stale')) {
    for (const identifier of ['a', 'c']) {
      await request('PATCH', `/v1/blueprints/${target}/entities/${identifier}`, { body: { title: 'Since' } });
    }
  }
  const given = Object.entries(rights).find(([name]) => has(name))?.[1] ?? null;
  await app.database.transaction((tx) => setBlueprintRights(tx, id, target, unchanged(given)));
  const undoing = await finished(`/${migration}/undo`, {});
  const { errors } = (await request('GET', `/v1/migrations/${undoing}/errors`)).body;
  const wordOf = (refusal: string) => Object.entries(refusals).find(([, text]) => text === refusal)?.[0] ?? refusal;
  const failures = errors.map((each: { identifier: string; error: string; message: string }) => {
    const refusal = `${each.error}: ${each.message}`.replaceAll(target, 'target').replaceAll(needing, 'needing');
    return `${each.identifier} ${wordOf(refusal)}`;
  });
  const { entities } = (await request('GET', `/v1/blueprints/${target}/entities`)).body;
  const left = entities.map((each: Entity) => `${each.identifier}=${each.properties['n']}`);
  expect([left.sort().join(' '), ...failures.sort()].join('; ')).toBe(outcome);
});
