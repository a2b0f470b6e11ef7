import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type AssistantHarness,
  send,
  startAssistantHarness,
  type TestOrganization,
} from '../../../test/assistant-harness.ts';
import { mergeAuthors } from '../../platform/text-authors.ts';
import { createTextsRead } from '../../platform/texts-read.ts';
import { noteTeamNames } from '../accounts/index.ts';

let harness: AssistantHarness;
let organization: TestOrganization;
let admin: string;
beforeAll(async () => {
  harness = await startAssistantHarness();
});
afterAll(async () => harness.close());
beforeEach(async () => {
  organization = await harness.organization();
  const properties = {
    note: { type: 'string' },
    size: { type: 'number' },
    stage: { type: 'string', enum: ['dev', 'prod'] },
  };
  const relations = { part: { target: 'service', many: false, required: false } };
  await write(organization.token, '/v1/blueprints', {
    identifier: 'service',
    title: 'Service',
    schema: { properties },
  });
  await write(organization.token, '/v1/blueprints', {
    identifier: 'part',
    title: 'Part',
    schema: { properties: {} },
    relations,
  });
  const roles = { roles: ['Admin', 'Member'] };
  await organization.call('PATCH', '/v1/blueprints/service/permissions', {
    entities: { register: roles, update: roles },
  });
  await put({ identifier: 'a', title: 'A', properties: { note: 'first', size: 1 } });
  [admin] = (await authors('a')) as [string];
  expect(admin).toMatch(/^credential:/);
});

async function write(token: string, path: string, body: object, headers = {}): Promise<void> {
  const answer = await send(harness.url, token, 'POST', path, body, headers);
  expect(answer.status, await answer.clone().text()).toBeLessThan(300);
}

const path = '/v1/blueprints/service/entities?upsert=true&merge=true';
const put = (body: object, token = organization.token, headers = {}) => write(token, path, body, headers);
const integration = { 'user-agent': 'port-ocean/tracker/1.0' };

async function authors(identifier: string): Promise<string[] | null> {
  const row = await harness.database.first<{ authors: string[] | null }>(sql`
    select text_authors as authors from entities where org_id = ${organization.id} and identifier = ${identifier}`);
  return row?.authors ?? null;
}

test('whoever changes a text becomes one of its authors, and stays one', async () => {
  const member = await organization.member();
  await put({ identifier: 'a', properties: { note: 'second' } }, member);
  const both = await authors('a');
  expect(both).toHaveLength(2);
  expect(both).toContain(admin);
  await put({ identifier: 'a', properties: { note: 'third' } });
  expect(await authors('a')).toEqual(both);
});

test.each<[string, object]>([
  ['a number', { properties: { size: 2 } }],
  ['a value of a list', { properties: { stage: 'prod' } }],
  ['nothing', { properties: { note: 'first' } }],
])('who changes %s does not', async (_what, change) => {
  await put({ identifier: 'a', ...change }, await organization.member());
  expect(await authors('a')).toEqual([admin]);
});

test.each<[string, object]>([
  ['a title', { title: 'B' }],
  ['a property', { properties: { note: 'from elsewhere' } }],
])('%s that an integration writes is from outside', async (_what, change) => {
  await put({ identifier: 'a', ...change }, organization.token, integration);
  expect(await authors('a')).toEqual([admin, 'outside'].sort());
});

test('every way to write counts: in bulk, by a change, with related entities that are made', async () => {
  const member = await organization.member();
  await write(
    member,
    '/v1/blueprints/service/entities/bulk?upsert=true',
    { entities: [{ identifier: 'b', title: 'B' }] },
    integration,
  );
  expect(await authors('b')).toEqual(['outside']);
  await send(harness.url, member, 'PATCH', '/v1/blueprints/service/entities/a', { title: 'New' }, integration);
  expect(await authors('a')).toContain('outside');
  const related = '/v1/blueprints/part/entities?create_missing_related_entities=true&upsert=true';
  await write(organization.token, related, { identifier: 'p', relations: { part: 'made' } }, integration);
  expect([await authors('p'), await authors('made')]).toEqual([['outside'], ['outside']]);
});

test('the name of a team is from whoever made it, unless the identity provider gives it', async () => {
  await write(organization.token, '/v1/blueprints/_team/entities', { identifier: 'crew', title: 'Crew' }, integration);
  const team = sql`from teams where org_id = ${organization.id} and identifier = 'crew'`;
  const { key } = (await harness.database.first<{ key: string }>(sql`select key ${team}`)) as { key: string };
  const note = async () => {
    const textsRead = createTextsRead();
    await noteTeamNames(harness.database, { orgId: organization.id, textsRead }, [key]);
    return [...textsRead.places];
  };
  expect(await note()).toEqual([['outside', '_team crew']]);
  await harness.database.transaction((tx) =>
    tx.execute(sql`update teams set provider = 'sso' where org_id = ${organization.id} and key = ${key}`),
  );
  expect(await note()).toEqual([]);
  const path = '/v1/blueprints/_team/entities/crew';
  for (const change of [{ title: 'Wipe it all' }, { identifier: 'wipe-it-all' }]) {
    const answer = await organization.call('PATCH', path, change, integration);
    expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([422, 'managed_field']);
  }
  // of a bulk write only that item is refused
  const entities = ['one', 'crew', 'two'].map((identifier) => ({ identifier, title: `Team ${identifier}` }));
  const bulk = await organization.call(
    'POST',
    '/v1/blueprints/_team/entities/bulk?upsert=true&merge=true',
    { entities },
    integration,
  );
  const { errors } = (await bulk.json()) as { errors: { index: number; error: string }[] };
  expect([bulk.status, errors.map(({ index, error }) => `${index} ${error}`)]).toEqual([207, ['1 managed_field']]);
  const titles = await harness.database.rows<{ title: string }>(
    sql`select title from teams where org_id = ${organization.id} and identifier = any('{one,crew,two}') order by title`,
  );
  expect(titles.map(({ title }) => title)).toEqual(['Crew', 'Team one', 'Team two']);
});

test('rows from before are of anybody, and stay so', async () => {
  await harness.database.transaction((tx) =>
    tx.execute(sql`update entities set text_authors = null where org_id = ${organization.id} and identifier = 'a'`),
  );
  await put({ identifier: 'a', properties: { note: 'now' } });
  expect(await authors('a')).toEqual([admin, 'outside'].sort());
});

test('the database unites labels as the program does, at most eight authors and the rest', async () => {
  const names = ['outside', 'platform', '*', ...Array.from({ length: 9 }, (_, index) => `person:${index}`)];
  for (let round = 0; round < 60; round++) {
    const [one, other] = [pick(names, round), pick(names, round * 7 + 3)];
    const row = await harness.database.first<{ merged: string[] }>(
      sql`select merge_text_authors(${[...mergeAuthors(one)]}::text[], ${other}::text[]) as merged`,
    );
    expect(row?.merged).toEqual(mergeAuthors(mergeAuthors(one), other));
  }
});

function pick(names: readonly string[], seed: number): string[] {
  return names.filter((_, index) => (seed * 31 + index * index * 17) % 5 < 2 + (seed % 3));
}
