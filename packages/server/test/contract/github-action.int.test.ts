import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../build-test-app.ts';
import { unique } from '../catalog-fixtures.ts';

// What the GitHub action prints of the answers, and the statuses that fail its step with a message of their own.

let app: TestApp;
let target: string;
let blueprint: string;
beforeAll(async () => {
  app = await createTestApp();
  [target, blueprint] = [unique('target'), unique('service')];
  const schema = { properties: { str: { type: 'string' } }, required: [] };
  // it asks for both forms of ownership, and the newer one counts
  const owned = { teamInheritance: { path: 'team' }, ownership: { type: 'Direct', title: 'team' } };
  const targetBody = { identifier: target, title: 'Target', icon: 'Microservice', schema, ...owned };
  const made = await send('POST', '/v1/blueprints', targetBody);
  expect(made.body.blueprint).toMatchObject({ ownership: owned.ownership });
  expect(made.body.blueprint.teamInheritance).toEqual(owned.teamInheritance);
  const relations = { 'gha-relation': { title: 'GHA', target, many: false, required: false } };
  const body = { identifier: blueprint, title: 'Service', schema: { properties: { list: { type: 'array' } } } };
  expect((await send('POST', '/v1/blueprints', { ...body, relations, ...owned })).status).toBe(201);
});
afterAll(() => app.close());

const headers = { 'user-agent': 'github-action/v1.0' };
const send = (method: string, path: string, body?: unknown) => app.request(method, path, { body, headers });
const upsert = (of: string, body: object) =>
  send('POST', `/v1/blueprints/${of}/entities?upsert=true&merge=true&create_missing_related_entities=true`, body);

test('an entity without relations, scorecards and a known team prints just what was written', async () => {
  const written = {
    identifier: 'test_entity',
    title: 'Test',
    blueprint: target,
    team: ['Test'],
    properties: { str: 'foo' },
    relations: {},
  };
  expect((await upsert(target, written)).status).toBe(201);
  const { entity } = (await send('GET', `/v1/blueprints/${target}/entities/test_entity`)).body;
  // what it prints: these keys, as far as they are there
  const kept = ['identifier', 'title', 'blueprint', 'properties', 'team', 'relations', 'scorecards'];
  expect(Object.fromEntries(kept.filter((key) => entity[key]).map((key) => [key, entity[key]]))).toEqual(written);
});

test('a relation that the blueprint does not have is not found; with a wrong value both are told', async () => {
  const unknown = { properties: {}, relations: { invalidRelation: 'dummyTarget' } };
  const answer = await upsert(blueprint, unknown);
  expect([answer.status, answer.body]).toMatchObject([
    404,
    { ok: false, error: 'not_found', details: { resource: 'Relation', withValue: 'invalidRelation' } },
  ]);
  const both = await upsert(blueprint, { ...unknown, properties: { list: 'x' } });
  expect([both.status, both.body.details.map(({ path }: { path: string }) => path)]).toEqual([
    422,
    ['/properties/list', '/relations/invalidRelation'],
  ]);
  const bulk = await send('POST', `/v1/blueprints/${blueprint}/entities/bulk?upsert=true`, {
    entities: [{ identifier: 'ok' }, { identifier: 'no', relations: unknown.relations }],
  });
  expect([bulk.status, bulk.body.errors]).toMatchObject([207, [{ index: 1, statusCode: 404, error: 'not_found' }]]);
});

test('a run of an action for deletion, without a blueprint, takes more than its form asks for', async () => {
  const identifier = unique('run');
  const action = {
    identifier,
    icon: 'DefaultBlueprint',
    trigger: { operation: 'DELETE', type: 'self-service', userInputs: { properties: {} } },
    invocationMethod: { type: 'KAFKA' },
  };
  expect((await send('POST', '/v1/actions', action)).status).toBe(201);
  const properties = { text: 'test', number: 1, boolean: true };
  const { status, body } = await send('POST', `/v1/actions/${identifier}/runs`, { properties });
  expect([status, body.run.properties]).toEqual([202, properties]);
});
