import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath } from '../../../../test/catalog-fixtures.ts';
import { type ExplainedQuery, explainStatements, listNodes, type Plan } from '../../../../test/query-plans.ts';
import { selectStatesAround } from '../../journal/index.ts';

const entities = 200;
const versions = 150;

let app: TestApp;
let take: () => ExplainedQuery[];
let service: string;

/** Versions of every entity, a minute apart, as if they had been written. */
const history = () => sql`
  insert into journal (org_id, id, at, event, action, resource_type, identifier, context, actor_id, actor_kind, origin,
    datasource, before, after)
  select e.org_id, 'event_' || e.key || '_' || n, e.created_at + n * interval '1 minute', 'entity.updated', 'UPDATE', 'entity',
    e.identifier, jsonb_build_object('blueprint', ${service}::text, 'entity', e.identifier), 'x', 'machine', 'API', 'x',
    image.of, image.of
  from entities e join blueprints b on b.org_id = e.org_id and b.key = e.blueprint_key
  cross join generate_series(1, ${versions}::int) as n
  cross join lateral (select jsonb_build_object('identifier', e.identifier, 'title', e.title, 'icon', e.icon, 'ownTeamRefs',
    '[]'::jsonb, 'teamRefs', '[]'::jsonb, 'createdBy', 'x', 'updatedBy', 'x', 'createdAt', e.created_at, 'updatedAt',
    e.created_at, 'properties', jsonb_build_object('tier', n), 'relations', '{}'::jsonb) as of) image
  where e.org_id = ${app.organization.id} and b.identifier = ${service}`;

beforeAll(async () => {
  app = await createTestApp({
    watch: (engine) => {
      const explaining = explainStatements(engine);
      take = explaining.take;
      return explaining.engine;
    },
  });
  service = await createBlueprint(app.request, 'service', { properties: { tier: { type: 'number' } } });
  for (let first = 0; first < entities; first += 20) {
    const body = { entities: Array.from({ length: 20 }, (_, index) => ({ identifier: `s${first + index}` })) };
    await app.request('POST', `/v1/blueprints/${service}/entities/bulk`, { body });
  }
  await createEntity(app.request, service, { identifier: 'gone' });
  await app.database.executeAlone(history());
  app.clock.advance((versions + 1) * 60_000);
  await app.request('DELETE', entityPath(service, 'gone'));
  await app.database.executeAlone(sql`analyze`);
  take();
});
afterAll(() => app.close());

/** How the journal was read, by the index or without one. */
function readings(): string[] {
  const nodes = take().flatMap(({ plan }) => allNodes(plan));
  const ofJournal = nodes.filter(
    (node) => node['Relation Name'] === 'journal' || node['Index Name']?.startsWith('journal'),
  );
  return [...new Set(ofJournal.map((node) => node['Index Name'] ?? node['Node Type']))].sort();
}

function allNodes(plan: Plan): Plan[] {
  return [...new Set([...listNodes(plan), ...(plan.Plans ?? []).flatMap(allNodes)])];
}

const moment = () => new Date(app.clock.now().getTime() - 70 * 60_000).toISOString();
const earlier = () => new Date(app.clock.now().getTime() - 80 * 60_000).toISOString();
/** Not that of a blueprint's records: these would be read to find the few of one entity. */
const indexes = [
  'journal_by_deletion',
  'journal_by_entity',
  'journal_by_identifier',
  'journal_by_lost_name',
  'journal_by_new_name',
  'journal_pkey',
];

test.each([
  ['an entity', (at: string) => ['GET', `${entityPath(service, 's7')}?as_of=${at}`] as const],
  ['a deleted entity', (at: string) => ['GET', `${entityPath(service, 'gone')}?as_of=${at}`] as const],
  [
    'a page with a filter',
    (at: string) => {
      const query = { combinator: 'and', rules: [{ property: 'tier', operator: '=', value: -1 }] };
      return ['POST', `/v1/blueprints/${service}/entities/search`, { as_of: at, limit: 20, query }] as const;
    },
  ],
  ['a page', (at: string) => ['POST', `/v1/blueprints/${service}/entities/search`, { as_of: at, limit: 20 }] as const],
  [
    'changes',
    (at: string) => ['GET', `/v1/blueprints/${service}/entity-changes?from=${earlier()}&to=${at}`] as const,
    'journal_by_blueprint',
  ],
] as const)('%s of a moment is read by indexes of names alone', async (_what, ask, also?: string) => {
  const [method, path, body] = ask(moment());
  const answer = await app.request(method, path, body ? { body } : {});
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const found = readings();
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter((name) => !indexes.includes(name))).toEqual(also ? [also] : []);
});

test('two records are read of each entity', async () => {
  const since = new Date(0);
  const named = (index: number) => ({ blueprint: service, name: `s${index}`, since, until: undefined });
  const spans = Array.from({ length: entities }, (_, index) => named(index));
  const fetched = sql`select idx_tup_fetch::int as records from pg_stat_xact_user_tables where relname = 'journal'`;
  const records = await app.database.transaction(async (tx) => {
    const earlier = await tx.first<{ records: number }>(fetched);
    const states = await selectStatesAround(tx, app.organization.id, spans, new Date(moment()));
    expect(states.filter((each) => each.earlier && each.later)).toHaveLength(entities);
    const later = await tx.first<{ records: number }>(fetched);
    return (later?.records ?? 0) - (earlier?.records ?? 0);
  });
  expect(records).toBe(2 * entities);
});
