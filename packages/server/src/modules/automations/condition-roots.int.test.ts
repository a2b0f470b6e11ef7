import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, issuePaths, unique } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
let blueprint: string;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  blueprint = await createBlueprint(app.request, 'thing');
});

const buildBody = (identifier: string, ...expressions: string[]) => ({
  identifier,
  trigger: {
    type: 'automation',
    event: { type: 'ENTITY_CREATED', blueprintIdentifier: blueprint },
    condition: { type: 'JQ', expressions, combinator: 'and' },
  },
  invocationMethod: { type: 'KAFKA', payload: {} },
  publish: true,
});
const create = async (...expressions: string[]) => {
  const identifier = unique('auto');
  const answer = await app.request('POST', '/v1/actions', { body: buildBody(identifier, ...expressions) });
  return { identifier, ...answer };
};

test('a condition reads the event at its root, and under .event as templates do', async () => {
  const both = await create('.diff.after.title == "A"', '.event.diff.after.title == "A"', '.event.action == .action');
  const other = await create('.event.diff.after.title == "B"');
  await createEntity(app.request, blueprint, { identifier: 'a', title: 'A' });
  await app.app.jobs.drain();
  for (const [{ identifier }, count] of [
    [both, 1],
    [other, 0],
  ] as const) {
    const { runs } = (await app.request('GET', `/v1/actions/runs?action=${identifier}&version=v2`)).body;
    expect([identifier, runs.length]).toEqual([identifier, count]);
  }
});

test('one that reads what no event has is refused, with what to write instead, and nothing is stored', async () => {
  const refused = await create('true', '.entity.title == "A"', '.event.nothing');
  const at = '/trigger/condition/expressions';
  expect([refused.status, issuePaths(refused.body)]).toEqual([422, [`${at}/1`, `${at}/2`]]);
  expect(refused.body.details[0].message).toContain('write .diff.after');
  expect((await app.request('GET', `/v1/actions/${refused.identifier}`)).status).toBe(404);
});

test('what a published client stores is kept with a warning, and never holds', async () => {
  const { status, headers, identifier } = await create('.properties.environment == "production"');
  expect(status).toBe(201);
  expect(headers['warning']).toContain('/trigger/condition/expressions/0 never holds');
  const event = { action: 'CREATE', resourceType: 'entity', trigger: {}, context: { blueprintIdentifier: blueprint } };
  const body = { event: { ...event, diff: { before: null, after: { properties: { environment: 'production' } } } } };
  const tested = await app.request('POST', `/v1/actions/${identifier}/test`, { body });
  expect([tested.status, tested.body.test?.condition.holds], JSON.stringify(tested.body)).toEqual([200, false]);
});

test('an automation that was stored with one can still be changed', async () => {
  const { identifier } = await create('.diff.after != null');
  const { definition } = (
    await app.database.rows<{ definition: object }>(
      sql`select definition from actions where org_id = ${app.organization.id} and identifier = ${identifier}`,
    )
  )[0] as { definition: object };
  const old = JSON.stringify(definition).replace('.diff.after != null', '.foo != null');
  await app.database.rows(
    sql`update actions set definition = ${old}::jsonb where org_id = ${app.organization.id} and identifier = ${identifier}`,
  );
  const put = (...expressions: string[]) =>
    app.request('PUT', `/v1/actions/${identifier}`, { body: { ...buildBody(identifier, ...expressions), title: 'T' } });
  expect((await put('.foo != null')).status).toBe(200);
  expect((await put('.foo != null', '.bar')).status).toBe(422);
});
