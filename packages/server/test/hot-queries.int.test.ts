import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { indexLimits, maintainSearchIndexes } from '../src/modules/search/indexes/maintain-search-indexes.ts';
import { createTestApp, type TestApp } from './build-test-app.ts';
import { createBlueprint, createEntity } from './catalog-fixtures.ts';
import { onlyOn } from './database.ts';
import { describePlan, type ExplainedQuery, explainStatements } from './query-plans.ts';

/** Written anew with this variable set; what changed is then seen in the diff. */
const isRenewing = process.env['PORTOLAN_RENEW_PLANS'] === '1';
const howToRenew = `The plan of a hot query is another one than packages/server/test/hot-queries/ says. If it is meant to be:
  PORTOLAN_RENEW_PLANS=1 npx vitest run --project postgres packages/server/test/hot-queries.int.test.ts
and commit the file that changed; else find out why an index is not used any more.`;

const services = 20_000;
const others = 40_000;
const owners = 2_000;

let app: TestApp;
let take: () => ExplainedQuery[];
let service: string;
let owner: string;
let other: string;

async function open(): Promise<void> {
  app = await createTestApp({
    watch: (engine) => {
      const explaining = explainStatements(engine);
      take = explaining.take;
      return explaining.engine;
    },
  });
  owner = await createBlueprint(app.request, 'owner', { properties: { city: { type: 'string' } } });
  other = await createBlueprint(app.request, 'other');
  service = await createBlueprint(app.request, 'service', {
    properties: { language: { type: 'string' }, tier: { type: 'number' }, readme: { type: 'string' } },
    relations: { owner: { target: owner } },
    mirrorProperties: { city: { path: 'owner.city' } },
  });
  for (let index = 0; index < 10; index += 1) await createEntity(app.request, '_team', { identifier: `team${index}` });
  await seed();
  const value = (slot: string) => sql`
    insert into search_indexes (org_id, blueprint_key, slot, uses, used_at)
    select org_id, key, ${slot}, 100, ${app.clock.now()} from blueprints
    where org_id = ${app.organization.id} and identifier = ${service}`;
  for (const slot of ['properties:text:language', 'properties:number:tier'])
    await app.database.executeAlone(value(slot));
  const never = new AbortController().signal;
  expect(
    (await maintainSearchIndexes({ database: app.database, clock: app.clock }, indexLimits, never)).made,
  ).toHaveLength(2);
  await app.database.executeAlone(sql`vacuum analyze`);
}

/** Below the API, which would take minutes. */
async function seed(): Promise<void> {
  const { id } = app.organization;
  const insert = (blueprint: string, count: number, relations: ReturnType<typeof sql>) => sql`
    insert into entities (org_id, blueprint_key, identifier, title, properties, relations, derived, team_refs, datasource,
      seen_at, created_at, created_by, updated_at, updated_by)
    select b.org_id, b.key, b.identifier || '-' || i, 'Name ' || i,
      jsonb_build_object('language', 'l' || i % 40, 'tier', i % 1000, 'readme', repeat(md5(i::text), 10)), ${relations},
      '{"city":"Oslo"}', array[(select t.key from teams t where t.org_id = b.org_id order by t.key offset i % 10 limit 1)],
      'exporter/' || i % 1000, now(), now(), 'test', now(), 'test'
    from blueprints b cross join generate_series(1, ${count}::int) as i
    where b.org_id = ${id} and b.identifier = ${blueprint}`;
  await app.database.executeAlone(insert(owner, owners, sql`'{}'::jsonb`));
  await app.database.executeAlone(insert(other, others, sql`'{}'::jsonb`));
  const link = sql`jsonb_build_object('owner', ${owner}::text || '-' || (1 + i % ${owners}::int))`;
  await app.database.executeAlone(insert(service, services, link));
  await app.database.executeAlone(sql`
    insert into entity_relations (org_id, source_key, relation, target_key, source_blueprint_key, position)
    select s.org_id, s.key, 'owner', o.key, s.blueprint_key, 0 from entities s
    join entities o on o.org_id = s.org_id and o.identifier = s.relations ->> 'owner'
    where s.org_id = ${id}`);
}

interface HotQuery {
  readonly name: string;
  ask(): Promise<{ status: number }>;
  /** Which of the statements it sends. */
  readonly statement: RegExp;
  /** An index that its plan stands or falls with, on any version. */
  readonly index: string;
}

const page = (body: object) => () =>
  app.request('POST', `/v1/blueprints/${service}/entities/search`, { body: { limit: 20, ...body } });
const matching = (...rules: object[]) => ({ query: { combinator: 'and', rules } });
const ofLanguage = matching({ property: 'language', operator: '=', value: 'l7' });
const entities = /from entities e\b/;

const hotQueries: readonly HotQuery[] = [
  {
    name: 'an entity',
    ask: () => app.request('GET', `/v1/blueprints/${service}/entities/${service}-77`),
    statement: entities,
    index: 'entities_pkey',
  },
  {
    name: 'all entities of a blueprint, the second part',
    ask: () => app.request('GET', `/v1/blueprints/${service}/entities`),
    statement: /e\.key > \$/,
    index: 'entities_by_blueprint',
  },
  {
    name: 'a page by a property that has no index',
    ask: page(matching({ property: 'readme', operator: 'contains', value: 'a1' })),
    statement: entities,
    index: 'entities_by_blueprint',
  },
  {
    name: 'a page by a property, from the middle',
    ask: async () => {
      const { body } = await page(ofLanguage)();
      take();
      return page({ ...ofLanguage, from: body.next })();
    },
    statement: entities,
    index: 'entities_used_',
  },
  {
    name: 'a page sorted by a number, from the middle',
    ask: async () => {
      const sort = [{ property: 'tier', order: 'desc' }];
      const { body } = await page({ sort })();
      take();
      return page({ sort, from: body.next })();
    },
    statement: entities,
    index: 'entities_used_',
  },
  {
    name: 'a page of what teams own',
    ask: page(matching({ property: '$team', operator: 'containsAny', value: ['team3'] })),
    statement: entities,
    index: 'entities_by_team',
  },
  {
    name: 'everything related to an entity',
    ask: () =>
      page(matching({ operator: 'relatedTo', blueprint: owner, value: `${owner}-7`, direction: 'downstream' }))(),
    statement: entities,
    index: 'entity_relations_by_target',
  },
  {
    name: 'words, in all blueprints',
    ask: () => app.request('POST', '/v1/entities/top-search', { body: { text: 'name 777', limit: 20 } }),
    statement: entities,
    index: 'entities_by_words',
  },
  {
    name: 'what an integration wrote',
    ask: () =>
      app.request('POST', '/v1/blueprints/entities/datasource-entities', {
        body: { datasource_prefix: 'exporter/', datasource_suffix: '/77', limit: 100 },
      }),
    statement: /select e\.key/,
    index: 'entities_by_datasource',
  },
  {
    name: 'the entities of a bulk write',
    ask: () =>
      app.request('POST', `/v1/blueprints/${service}/entities/bulk?upsert=true&merge=true`, {
        body: {
          entities: Array.from({ length: 20 }, (_, index) => ({
            identifier: `${service}-${1 + index}`,
            properties: { tier: 5 },
          })),
        },
      }),
    statement: /for no key update/,
    index: 'entities_pkey',
  },
  {
    name: 'who depends on a change',
    ask: () =>
      app.request('PATCH', `/v1/blueprints/${owner}/entities/${owner}-5`, { body: { properties: { city: 'Turku' } } }),
    statement: /entity_relations/,
    index: 'entity_relations_by_target',
  },
];

const folder = join(import.meta.dirname, 'hot-queries');
const planFile = (name: string): string => `${name.replaceAll(/[^a-z]+/g, '-')}.txt`;

test('every plan that was agreed on is one of a hot query, on every version', async () => {
  const names = hotQueries.map(({ name }) => planFile(name)).sort();
  for (const version of await readdir(folder)) expect((await readdir(join(folder, version))).sort()).toEqual(names);
});

onlyOn('postgres', 'plans are those of the server that many people share', () => {
  beforeAll(open);
  afterAll(() => app.close());

  test.each(hotQueries)('$name: the plan is the one that was agreed on', async ({ name, ask, statement, index }) => {
    take();
    expect((await ask()).status).toBeLessThan(300);
    const asked = take();
    const found = asked.find(({ text }) => statement.test(text));
    expect(found, `No statement ${statement} among: ${asked.map(({ text }) => text).join('\n')}`).toBeDefined();
    const plan = (found as ExplainedQuery).plan;
    const indexes = allNodes(plan).flatMap((node) => node['Index Name'] ?? []);
    expect(
      indexes.some((each) => each.startsWith(index)),
      `${howToRenew}\n\n${describePlan(plan)}`,
    ).toBe(true);
    await compare(name, `${describePlan(plan)}\n`);
  });
});

function allNodes(plan: ExplainedQuery['plan']): ExplainedQuery['plan'][] {
  return [plan, ...(plan.Plans ?? []).flatMap(allNodes)];
}

/** Versions of the server plan differently; where nothing is agreed on, the index alone counts. */
async function compare(name: string, shape: string): Promise<void> {
  const row = await app.database.first<{ version: string }>(
    sql`select current_setting('server_version_num') as version`,
  );
  const ofVersion = join(folder, `postgres-${Math.floor(Number(row?.version) / 10_000)}`);
  const file = join(ofVersion, planFile(name));
  if (isRenewing) {
    await mkdir(ofVersion, { recursive: true });
    await writeFile(file, shape);
  } else if (existsSync(ofVersion)) {
    const agreed = existsSync(file) ? await readFile(file, 'utf8') : '';
    expect(shape, howToRenew).toBe(agreed);
  }
}
