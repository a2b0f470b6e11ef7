import sql, { raw } from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { blueprintBody, createBlueprint, searchIn, unique } from '../../../../test/catalog-fixtures.ts';
import { onlyOn } from '../../../../test/database.ts';
import { explaining, listNodes, type Plan } from '../../../../test/query-plans.ts';
import { systemActor } from '../../../platform/actor.ts';
import { createTestClock } from '../../../platform/clock.ts';
import { type IndexedValue, indexName, indexText } from '../../entity-query/index.ts';
import { searchBlueprint } from '../search-entities.ts';
import { indexLimits, maintainSearchIndexes } from './maintain-search-indexes.ts';
import { addUses } from './search-index.store.ts';

let app: TestApp;
let orgId: string;
beforeAll(async () => {
  app = await createTestApp();
  orgId = app.organization.id;
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.executeAlone(sql`delete from search_indexes /* all organizations */`);
  await maintain();
});

const never = new AbortController().signal;
const limits = { ...indexLimits, usesMin: 3, entitiesMin: 50 };
const maintain = (other: Partial<typeof limits> = {}, laterMs = 0) => {
  const clock = createTestClock(new Date(app.clock.now().getTime() + laterMs));
  return maintainSearchIndexes({ database: app.database, clock }, { ...limits, ...other }, never);
};

const properties = {
  language: { type: 'string' },
  zone: { type: 'string' },
  tier: { type: 'number' },
  when: { type: 'string', format: 'date-time' },
};

/** A blueprint with so many entities, put in below the API: each language has an eighth, each tier and zone a hundredth. */
async function stock(count: number, ofOrganization = orgId, request = app.request) {
  const identifier = await createBlueprint(request, 'stock', { properties });
  const row = await app.database.first<{ key: number }>(
    sql`select key from blueprints where org_id = ${ofOrganization} and identifier = ${identifier}`,
  );
  const key = row?.key ?? 0;
  await app.database.executeAlone(sql`
    insert into entities (org_id, blueprint_key, identifier, title, properties, datasource, seen_at, created_at,
      created_by, updated_at, updated_by)
    select ${ofOrganization}, ${key}::bigint, 's' || i, 'Service ' || i,
      jsonb_build_object('language', 'l' || i % 8, 'tier', i % 100, 'zone', 'z' || i % 100,
        'when', '2026-01-15T09:00:00Z'), 'test', now(),
      now(), 'test', now(), 'test'
    from generate_series(1, ${count}::int) as i`);
  return { identifier, key };
}

const indexed = (blueprintKey: number, slot: string): IndexedValue => ({ orgId, blueprintKey, slot });
const use = (value: IndexedValue, uses = 100) =>
  app.database.transaction((tx) => addUses(tx, [{ ...value, uses }], app.clock.now()));

async function indexes(): Promise<string[]> {
  const rows = await app.database.rows<{ name: string }>(sql`
    select indexname as name from pg_indexes where tablename = 'entities' and indexname like 'entities\_used\_%'`);
  return rows.map(({ name }) => name);
}

async function explainSearch(identifier: string, input: Parameters<typeof searchBlueprint>[3]): Promise<Plan[]> {
  const { database, plans } = explaining(app.database);
  await searchBlueprint({ database, clock: app.clock }, systemActor(orgId), identifier, input);
  return plans.filter(({ text }) => text.includes('from entities e')).map(({ plan }) => plan);
}

const indexesIn = (plans: readonly Plan[]) => plans.flatMap(listNodes).flatMap((node) => node['Index Name'] ?? []);

const equal = (property: string, value: unknown) => ({
  query: { combinator: 'and' as const, rules: [{ property, operator: '=' as const, value }] } as never,
  limit: 20,
});

describe('an index', () => {
  test('comes with use, by itself, and searches and sorted pages read it', async () => {
    const { identifier, key } = await stock(3_000);
    const search = (body: object) => app.request('POST', `/v1/blueprints/${identifier}/entities/search`, { body });
    for (let count = 0; count < 10; count += 1) {
      await searchIn(app.request, identifier, { property: 'zone', operator: '=', value: 'z7' });
      await search({ sort: [{ property: 'tier', order: 'asc' }], limit: 2 });
    }
    expect(await indexes()).toEqual([]);
    // indexes are asked for every five minutes at most
    app.clock.advance(5 * 60_000);
    await app.app.catalog.uses.flush();
    await app.app.jobs.drain();
    const zone = indexName(indexed(key, 'properties:text:zone'));
    const tier = indexName(indexed(key, 'properties:number:tier'));
    expect((await indexes()).sort()).toEqual([zone, tier].sort());

    expect(indexesIn(await explainSearch(identifier, equal('zone', 'z7')))).toEqual([zone]);
    expect(indexesIn(await explainSearch(identifier, equal('tier', 7)))).toEqual([tier]);
    const sorted = await explainSearch(identifier, { sort: [{ property: 'tier', order: 'desc' }], limit: 20 });
    expect(sorted.map((plan) => listNodes(plan).map((node) => node['Node Type']))).toEqual([['Limit', 'Index Scan']]);
    expect(indexesIn(sorted)).toEqual([tier]);
    const found = await search({ ...equal('zone', 'z7'), sort: [{ property: '$identifier', order: 'asc' }] });
    expect(found.body.entities).toHaveLength(20);
  });

  test('is read in its order from the middle of a list', async () => {
    const { identifier, key } = await stock(10_000);
    await use(indexed(key, 'properties:text:language'));
    await maintain();
    const first = await searchBlueprint(
      { database: app.database, clock: app.clock },
      systemActor(orgId),
      identifier,
      equal('language', 'l7'),
    );
    const [plan] = await explainSearch(identifier, { ...equal('language', 'l7'), from: first.next });
    // no sort: as many rows are read as the page has
    expect(plan && listNodes(plan).map((node) => node['Node Type'])).toEqual(['Limit', 'Index Scan']);
  });

  test('comes with statistics of its values, which go with it', async () => {
    const { identifier, key } = await stock(4_000);
    const value = indexed(key, 'properties:text:language');
    await use(value);
    await maintain();
    const { query } = equal('language', 'l7');
    const [plan] = await explainSearch(identifier, { query });
    // an eighth, not the two hundredth that is assumed of an unknown expression
    const estimate = Math.max(...(plan ? listNodes(plan).map((node) => node['Plan Rows']) : []));
    expect(estimate).toBeGreaterThan(300);
    expect(estimate).toBeLessThan(700);
    await maintain({}, indexLimits.keptMs + 1);
    expect(await app.database.rows(sql`select stxname from pg_statistic_ext`)).toEqual([]);
  });

  test('is not made for little use, few entities, or in a transaction that searches', async () => {
    const few = await stock(49);
    const many = await stock(60);
    await use(indexed(few.key, 'properties:text:language'));
    await use(indexed(many.key, 'properties:text:language'), 2);
    expect(await maintain()).toEqual({ made: [], dropped: [] });
    await use(indexed(many.key, 'properties:text:language'), 3);
    expect((await maintain()).made).toHaveLength(1);
  });

  test('counts as used until nobody used it for a week, and goes then', async () => {
    const { key } = await stock(60);
    const value = indexed(key, 'properties:text:language');
    await use(value);
    await maintain();
    expect(await maintain({}, indexLimits.keptMs)).toEqual({ made: [], dropped: [] });
    expect((await maintain({}, indexLimits.keptMs + 1)).dropped).toEqual([indexName(value)]);
    expect(await indexes()).toEqual([]);
    expect(await app.count('search_indexes')).toBe(0);
  });

  test('goes with its property, its type, its key and its blueprint', async () => {
    const { identifier, key } = await stock(60);
    const path = `/v1/blueprints/${identifier}`;
    const change = (changed: Record<string, unknown>) =>
      app.request('PUT', path, { body: blueprintBody(identifier, { properties: changed }) });
    const slots = ['properties:text:language', 'properties:number:tier', 'properties:text:when', 'title:text:'];
    for (const slot of slots) await use(indexed(key, slot));
    await maintain();
    expect(await indexes()).toHaveLength(4);

    const { tier: _tier, ...withoutTier } = properties;
    expect((await change(withoutTier)).status).toBe(200);
    await app.app.jobs.drain();
    expect(await indexes()).not.toContain(indexName(indexed(key, 'properties:number:tier')));
    expect((await change({ ...withoutTier, tier: { type: 'string' } })).status).toBe(200);
    await app.app.jobs.drain();
    await use(indexed(key, 'properties:number:tier'));
    expect((await maintain()).made).toEqual([]);

    const renamed = await app.request('PATCH', `${path}/properties/when/rename`, { body: { newPropertyName: 'at' } });
    expect(renamed.status, JSON.stringify(renamed.body)).toBe(200);
    await app.app.jobs.drain();
    expect(await indexes()).not.toContain(indexName(indexed(key, 'properties:text:when')));
    expect(await indexes()).toHaveLength(2);

    expect((await app.request('DELETE', `${path}/all-entities?delete_blueprint=true`)).status).toBeLessThan(300);
    await app.app.jobs.drain();
    await maintain();
    expect(await indexes()).toEqual([]);
  });

  test('left half made by a crash is removed and made again', async () => {
    const { key } = await stock(60);
    const value = indexed(key, 'properties:text:language');
    const name = indexName(value);
    await use(value);
    await maintain();
    await app.database.executeAlone(sql`update pg_index set indisvalid = false where indexrelid = ${name}::regclass`);
    const maintained = await maintain();
    expect(maintained).toEqual({ made: [name], dropped: [name] });
    expect((await maintain()).made).toEqual([]);
  });

  test('that nobody knows of is removed, and one that was lost is made again', async () => {
    const { key } = await stock(60);
    const value = indexed(key, 'properties:text:language');
    const name = indexName(value);
    await app.database.executeAlone(sql`create index entities_used_stray on entities (icon)`);
    await use(value);
    expect(await maintain()).toEqual({ made: [name], dropped: ['entities_used_stray'] });
    await app.database.executeAlone(sql`drop index ${raw(name)}`);
    expect(await maintain()).toEqual({ made: [name], dropped: [] });
    // one whose maker died before it could note it is kept
    await app.database.executeAlone(sql`update search_indexes set index_name = null where org_id = ${orgId}`);
    expect(await maintain()).toEqual({ made: [], dropped: [] });
    expect(
      await app.database.first(sql`select index_name as name from search_indexes where org_id = ${orgId}`),
    ).toEqual({
      name,
    });
  });

  test('leaves room for others: so many for a blueprint, an organization and in all', async () => {
    const one = await stock(60);
    const two = await stock(60);
    const slots = ['properties:text:language', 'properties:number:tier', 'properties:text:when'];
    for (const { key } of [one, two]) for (const slot of slots) await use(indexed(key, slot));
    expect((await maintain({ perBlueprint: 1 })).made).toHaveLength(2);
    expect((await maintain({ perBlueprint: 2, perOrganization: 3 })).made).toHaveLength(1);
    expect((await maintain({ inAll: 4 })).made).toHaveLength(1);
    expect((await maintain({ inAll: 4 })).made).toEqual([]);
  });

  test('is of one organization and one blueprint', async () => {
    const other = await app.createOrganization();
    const theirs = await stock(60, other.id, other.request);
    await use({ orgId: other.id, blueprintKey: theirs.key, slot: 'properties:text:language' });
    const ours = await stock(3_000);
    const { made } = await maintain();
    expect(made).toHaveLength(1);
    expect(indexesIn(await explainSearch(ours.identifier, equal('language', 'l7')))).not.toContain(made[0]);
  });

  test('cannot be a way to run statements', async () => {
    const { key } = await stock(60);
    const bad = [
      indexed(key, "properties:text:x') , (select 1)) ; drop table jobs; --"),
      indexed(key, `properties:text:${'x'.repeat(101)}`),
      indexed(key, 'identifier); drop table jobs; --:text:x'),
      indexed(key, 'properties:plain); drop table jobs; --:x'),
      { ...indexed(key, 'properties:text:language'), orgId: "o' or true; drop table jobs; --" },
    ];
    for (const value of bad) {
      expect(indexText(value), value.slot).toBeUndefined();
      await use(value);
    }
    expect(await maintain()).toEqual({ made: [], dropped: [] });
    expect(await indexes()).toEqual([]);
    const jobs = await app.database.first(sql`select to_regclass('jobs')::text as name`);
    expect(jobs).toEqual({ name: 'jobs' });
  });

  test('of a property with an odd name is never made, and the search answers', async () => {
    const name = unique('odd\\key');
    const blueprint = await createBlueprint(app.request, 'odd', { properties: { [name]: { type: 'string' } } });
    expect(await searchIn(app.request, blueprint, { property: name, operator: '=', value: 'x' })).toEqual([]);
    await app.app.catalog.uses.flush();
    const rows = await app.database.rows(sql`
      select slot from search_indexes where org_id = ${orgId} and slot like '%odd%'`);
    expect(rows).toEqual([]);
  });
});

onlyOn('postgres', 'the embedded engine has one process and one connection', () => {
  test('replicas that tend at once make an index once', async () => {
    const { key } = await stock(3_000);
    await use(indexed(key, 'properties:text:language'));
    const all = await Promise.all([maintain(), maintain(), maintain()]);
    expect(all.flatMap(({ made }) => made)).toHaveLength(1);
    expect(await indexes()).toHaveLength(1);
  });

  test('a stop ends a build that waits, and what it leaves is cleaned', async () => {
    const { key } = await stock(60);
    const value = indexed(key, 'properties:text:language');
    await use(value);
    const stopping = new AbortController();
    const { engine } = app.database;
    const writer = await engine.connect();
    try {
      await writer.query('begin');
      await writer.query(`update entities set icon = 'x' where org_id = $1 and blueprint_key = $2`, [orgId, key]);
      const maintaining = maintainSearchIndexes({ database: app.database, clock: app.clock }, limits, stopping.signal);
      maintaining.catch(() => undefined);
      await expect.poll(indexes).toHaveLength(1);
      stopping.abort(new Error('The process is stopping'));
      await expect(maintaining).rejects.toThrow('stopping');
    } finally {
      await writer.query('rollback');
      writer.release();
    }
    expect(await maintain()).toEqual({ made: [indexName(value)], dropped: [indexName(value)] });
  });
});
