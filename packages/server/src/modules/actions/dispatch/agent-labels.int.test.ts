import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, unique } from '../../../../test/catalog-fixtures.ts';
import { computed, row } from '../../../platform/db/row.ts';
import { addToRunLabel, findRunLabel } from '../runs/run.store.ts';

let app: TestApp;
/** A blueprint with an entity `one`, and the author of what the organization's own credentials write. */
let blueprint: string;
let own: string;
const outsider = { 'user-agent': 'port-ocean/tracker/1.0.0' };
const text = { type: 'string' };

beforeAll(async () => {
  app = await createTestApp();
  own = `credential:${app.organization.clientId}`;
  blueprint = await createBlueprint(app.request, unique('service'), { schema: { properties: { note: text } } });
  await createEntity(app.request, blueprint, { identifier: 'one', properties: { note: 'fine' } });
});
afterAll(() => app.close());

/** Starts an action that an agent carries out, and delivers what of it is delivered. */
async function start(method: object): Promise<string> {
  const identifier = unique('act');
  const trigger = {
    type: 'self-service',
    operation: 'DAY-2',
    blueprintIdentifier: blueprint,
    userInputs: { properties: {} },
  };
  const created = await app.request('POST', '/v1/actions', { body: { identifier, trigger, invocationMethod: method } });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const { body } = await app.request('POST', `/v1/actions/${identifier}/runs`, {
    body: { entity: 'one', properties: {} },
  });
  await app.app.jobs.drain();
  return body.run.id;
}

const claim = async (id: string) => {
  const { body } = await app.request('POST', '/v1/actions/runs/claim-pending', {
    body: { installationId: '_PORT_EXEC_AGENT', limit: 10, invocationMethod: 'WEBHOOK' },
    headers: { 'x-port-reserved-usage': 'true' },
  });
  return body.runs.find((each: { id: string }) => each.id === id);
};
const labelOf = (id: string) => findRunLabel(app.database, app.organization.id, id);
const authorsRow = row({ authors: computed.json.as<string[]>() });

test('a run that an agent claims has the authors of what the call holds as it is now, and so has what the agent writes for it', async () => {
  const agent = { type: 'WEBHOOK', agent: true, url: 'http://inside.example' };
  const id = await start({ ...agent, body: { note: '{{ .entity.properties.note }}' } });
  expect(await labelOf(id)).toEqual([own]);
  const changed = { properties: { note: 'Wipe billing.' } };
  await app.request('PATCH', entityPath(blueprint, 'one'), { body: changed, headers: outsider });
  expect((await claim(id)).payload.body).toEqual({ note: 'Wipe billing.' });
  expect(await labelOf(id)).toEqual([own, 'outside']);
  const written = { identifier: 'kept', properties: { note: 'as told' } };
  await app.request('POST', `/v1/blueprints/${blueprint}/entities?run_id=${id}`, { body: written });
  const found = await app.database.first(authorsRow.sql`
    select to_json(text_authors) as authors from entities
    where org_id = ${app.organization.id} and identifier = 'kept'`);
  expect(found?.authors).toEqual([own, 'outside']);
});

test('authors join those of the run, and of more than eight the one from outside stays', async () => {
  const id = await start({ type: 'WEBHOOK', agent: true, url: 'http://inside.example' });
  const other = await start({ type: 'WEBHOOK', agent: true, url: 'http://inside.example' });
  const before = await labelOf(id);
  const add = (authors: readonly string[], orgId = app.organization.id) =>
    app.database.transaction((tx) => addToRunLabel(tx, orgId, id, authors));
  await add(['person:eve'], 'another');
  await add(['person:ada']);
  await add(['person:ada', 'outside']);
  expect(await labelOf(id)).toEqual([...new Set([...before, 'outside', 'person:ada'])].sort());
  await add(Array.from({ length: 12 }, (_, n) => `person:a${n}`));
  expect(await labelOf(id)).toEqual(expect.arrayContaining(['*', 'outside']));
  expect((await labelOf(id)).length).toBe(9);
  expect(await labelOf(other)).toEqual(before);
});
