import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, type Entity } from '../../../test/catalog-fixtures.ts';
import { explaining, listNodes } from '../../../test/query-plans.ts';
import { systemActor } from '../../platform/actor.ts';
import { streamSearch } from './stream-search.ts';

let app: TestApp;
/** Of sizes that end before, at and after the end of a part. */
const sizes = [1_200, 3, 499, 500, 501, 0, 1_000];
const stocks: string[] = [];
beforeAll(async () => {
  app = await createTestApp();
  // statistics that come in the middle would make other plans right
  await app.database.executeAlone(sql`alter table entities set (autovacuum_enabled = false) /* all organizations */`);
  for (const [index, size] of sizes.entries()) stocks.push(await stock(size, index % 2 === 0 ? 'string' : 'number'));
});
afterAll(() => app.close());

/** A blueprint with so many entities, put in below the API. */
async function stock(count: number, type: string): Promise<string> {
  const properties = { kind: { type }, group: { type: 'string' } };
  const identifier = await createBlueprint(app.request, 'stock', { properties });
  await app.database.executeAlone(sql`
    insert into entities (org_id, blueprint_key, identifier, properties, datasource, seen_at, created_at, created_by,
      updated_at, updated_by)
    select b.org_id, b.key, b.identifier || '-' || i, jsonb_build_object('group', 'g' || i % 2), 'test', now(), now(),
      'test', now(), 'test'
    from blueprints b cross join generate_series(1, ${count}::int) as i
    where b.org_id = ${app.organization.id} and b.identifier = ${identifier}`);
  return identifier;
}

const search = async (...rules: unknown[]): Promise<{ entities: Entity[]; matchingBlueprints: string[] }> =>
  (await app.request('POST', '/v1/entities/search', { body: { combinator: 'and', rules } })).body;

const all = (blueprint: string, size: number) =>
  Array.from({ length: size }, (_, index) => `${blueprint}-${index + 1}`);
const within = (blueprints: readonly string[]) => ({ property: '$blueprint', operator: 'in', value: blueprints });

describe('a search of everything', () => {
  test('answers every entity once, however many blueprints have however many', async () => {
    const { entities, matchingBlueprints } = await search(within(stocks));
    expect(entities.map(({ identifier }) => identifier)).toEqual(
      stocks.flatMap((blueprint, index) => all(blueprint, sizes[index] ?? 0)),
    );
    expect(matchingBlueprints).toEqual(stocks.filter((_, index) => sizes[index] !== 0).toSorted());
    for (const [index, blueprint] of stocks.entries()) {
      expect((await search(within([blueprint]))).entities, blueprint).toHaveLength(sizes[index] ?? 0);
    }
  });

  test('does so where a rule means another thing in each of them', async () => {
    const { entities } = await search(
      within(stocks),
      { property: 'kind', operator: '!=', value: 'x' },
      {
        property: 'group',
        operator: '=',
        value: 'g1',
      },
    );
    const odd = (identifiers: readonly string[]) => identifiers.filter((_, index) => index % 2 === 0);
    expect(entities.map(({ identifier }) => identifier)).toEqual(
      stocks.flatMap((blueprint, index) => odd(all(blueprint, sizes[index] ?? 0))),
    );
  });

  test('sorts no rest again for each part of it, whatever is known of the table', async () => {
    const { database, plans } = explaining(app.database);
    const deps = { database, clock: app.clock };
    const query = { combinator: 'and', rules: [within(stocks)] } as never;
    const log = { warn: () => undefined };
    const { parts } = await streamSearch(deps, systemActor(app.organization.id), query, {}, false, log);
    let found = 0;
    for await (const part of parts) found += part.length;
    expect(found).toBe(sizes.reduce((sum, size) => sum + size));
    const reads = plans.filter(({ text }) => text.includes('from entities e'));
    const sorting = reads.filter(({ plan }) => listNodes(plan).some((node) => node['Node Type'].includes('Sort')));
    // the first, which looks everywhere
    expect(sorting.length).toBeLessThanOrEqual(1);
    expect(reads.length).toBeGreaterThan(8);
  });
});
