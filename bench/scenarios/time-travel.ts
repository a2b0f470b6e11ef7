import pg from 'pg';
import { type HttpConnection, openConnection, requestBytes } from '../harness/http-connection.ts';
import { median, percentile } from '../harness/statistics.ts';
import type { Finding } from '../harness/table.ts';
import { prepareSides, type Sides, searchPath } from './catalog.ts';
import type { Scenario, Size } from './scenario.ts';

const days = 300;
const pageSize = 50;
/** Versions that one statement adds to each entity. */
const perStatement = 5;

/** How many versions the journal has; `PORTOLAN_BENCH_VERSIONS` says otherwise. */
function versionsOf(size: Size): number {
  const given = Number(process.env['PORTOLAN_BENCH_VERSIONS']);
  return given > 0 ? given : size.rounds < 5 ? 200_000 : 10_000_000;
}

/**
 * What entities were at random moments of 300 days of versions, beside what they are now: one entity, a page, what changed
 * of one entity and of a type within a day. And how much room the versions take.
 */
export const timeTravel: Scenario = {
  name: 'time-travel',
  async run(environment, size) {
    const sides = await prepareSides(environment, size);
    const versions = versionsOf(size);
    const address = environment.databaseUrl('bench');
    const filledMs = await addVersions(address, size.entities, versions);
    const named = `${versions.toLocaleString('en-US')} versions`;
    const connection = await openConnection(sides.ours.port);
    try {
      const findings: Finding[] = [];
      for (const [path, request, budget] of asked(sides, size.entities)) {
        const times = await measure(connection, request, size.repetitions * 5);
        const note = `p50 ${median(times).toFixed(1)} ms`;
        const most = budget === undefined ? {} : { budget: { of: 'value' as const, most: budget } };
        const p95 = percentile(times, 0.95);
        findings.push({
          path: `${path}, ${named}`,
          contender: 'ours',
          figure: 'p95',
          value: p95,
          unit: 'ms',
          note,
          ...most,
        });
      }
      return [...findings, ...(await sizes(address, named, filledMs))];
    } finally {
      connection.close();
    }
  },
};

type Asked = readonly [path: string, request: () => Buffer, mostMs: number | undefined];

function asked({ headers }: Sides, entities: number): Asked[] {
  const path = () => `/v1/blueprints/bench_service/entities/service-${Math.floor(Math.random() * entities)}`;
  const moment = (within = days - 2) => new Date(Date.now() - (1 + Math.random() * within) * 86_400_000);
  const get = (to: string) => requestBytes('GET', to, { headers });
  const search = (body: object) => requestBytes('POST', searchPath, { headers, body: { limit: pageSize, ...body } });
  const where = (property: string, value: unknown) => ({
    combinator: 'and',
    rules: [{ property, operator: '=', value }],
  });
  const day = () => {
    const to = moment();
    return `from=${new Date(to.getTime() - 86_400_000).toISOString()}&to=${to.toISOString()}`;
  };
  return [
    ['entity, now', () => get(path()), undefined],
    ['entity, as of', () => get(`${path()}?as_of=${moment().toISOString()}`), 300],
    [`page of ${pageSize}, now`, () => search({}), undefined],
    [`page of ${pageSize}, as of`, () => search({ as_of: moment().toISOString() }), 300],
    [
      `page of ${pageSize} with a filter, as of`,
      () => search({ as_of: moment().toISOString(), query: where('language', 'Go') }),
      300,
    ],
    // looks at as many entities as a page ever does
    [
      'page with a filter that nothing matches, as of',
      () => search({ as_of: moment().toISOString(), query: where('tier', -1) }),
      undefined,
    ],
    ['what changed of an entity in a day', () => get(`${path()}/changes?${day()}`), 300],
    [
      'what changed of a type in a day',
      () => get(`/v1/blueprints/bench_service/entity-changes?limit=${pageSize}&${day()}`),
      300,
    ],
  ];
}

async function measure(connection: HttpConnection, request: () => Buffer, times: number): Promise<number[]> {
  const taken: number[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    const bytes = request();
    const startedAt = performance.now();
    const answer = await connection.send(bytes);
    taken.push(performance.now() - startedAt);
    if (answer.status !== 200)
      throw new Error(`An answer is not as expected: ${answer.body.toString('utf8').slice(0, 500)}`);
  }
  return taken.slice(Math.floor(times / 10));
}

/** The state of `entities e` that a version found or left, as the journal holds it. */
const image = (tier: string, updatedAt: string) => `jsonb_build_object('identifier', e.identifier, 'title', e.title,
  'icon', e.icon, 'ownTeamRefs', '[]'::jsonb, 'teamRefs', '[]'::jsonb, 'createdBy', e.created_by, 'updatedBy', e.updated_by,
  'createdAt', e.created_at, 'updatedAt', ${updatedAt},
  'properties', e.properties || jsonb_build_object('tier', ${tier}), 'relations', e.relations,
  'derived', e.derived, 'scorecards', '{}'::jsonb)`;

const ofServices = `from entities e join blueprints b on b.org_id = e.org_id and b.key = e.blueprint_key
  where b.identifier = 'bench_service'`;

/** When version `n` of `entities e` was written, the same whenever asked: at some moment of the `n`th part of the days. */
const writtenAt = (n: string) => `date_trunc('milliseconds', $1::timestamptz
  + (${n} + (hashint8(e.key * 1000003 + ${n}) & 1048575) / 1048576.0) * interval '${days} days' / $2::int)`;

/** Spreads versions of the services over the days, in the order of time; how long that took. */
async function addVersions(address: string, entities: number, versions: number): Promise<number> {
  const each = Math.ceil(versions / entities);
  const startedAt = performance.now();
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    const start = new Date(Date.now() - days * 86_400_000);
    // as if they had been created a day before, and what they are now were the last version
    await client.query(
      `update entities e set created_at = $1::timestamptz - interval '1 day', updated_at = ${writtenAt('($2::int - 1)')},
         properties = e.properties || jsonb_build_object('tier', $2::int)
       where e.key in (select e.key ${ofServices})`,
      [start, each],
    );
    await client.query(
      `update journal set at = $1::timestamptz - interval '1 day'
       where event = 'entity.created' and context ->> 'blueprint' = 'bench_service'`,
      [start],
    );
    for (let first = 0; first < each; first += perStatement) {
      await client.query(
        `insert into journal (org_id, id, at, event, action, resource_type, identifier, context, actor_id, actor_kind,
           origin, datasource, before, after)
         select e.org_id, 'event_' || md5(e.key::text || v.n::text), m.at,
           'entity.updated', 'UPDATE', 'entity', e.identifier,
           jsonb_build_object('blueprint', b.identifier, 'entity', e.identifier), 'bench', 'machine', 'API', 'bench',
           ${image('v.n', 'm.found')}, ${image('v.n + 1', 'm.at')}
         from generate_series($3::int, $4::int - 1) as v(n), entities e
         join blueprints b on b.org_id = e.org_id and b.key = e.blueprint_key
         cross join lateral (
           select ${writtenAt('v.n')} as at,
             case when v.n = 0 then e.created_at else ${writtenAt('(v.n - 1)')} end as found) m
         where b.identifier = 'bench_service' order by m.at`,
        [start, each, first, Math.min(each, first + perStatement)],
      );
    }
    await client.query('vacuum analyze journal');
  } finally {
    await client.end();
  }
  return performance.now() - startedAt;
}

async function sizes(address: string, named: string, filledMs: number): Promise<Finding[]> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    const { rows } = await client.query<{ history: string; indexes: string; current: string; records: string }>(
      `select pg_total_relation_size('journal') as history, pg_indexes_size('journal') as indexes,
         pg_total_relation_size('entities') as current, (select count(*) from journal) as records`,
    );
    const [found] = rows;
    const [history, current, records] = [Number(found?.history), Number(found?.current), Number(found?.records)];
    const common = { path: `room of ${named}`, contender: 'ours' };
    const note = `journal ${megabytes(history)}, of which indexes ${megabytes(Number(found?.indexes))}; entities ${megabytes(current)}`;
    return [
      { ...common, figure: 'bytes of history per current byte', value: history / current, unit: '', note },
      { ...common, figure: 'bytes per version', value: history / records, unit: 'B' },
      { ...common, figure: 'filling', value: filledMs / 1000, unit: 's' },
    ];
  } finally {
    await client.end();
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(0)} MB`;
}
