import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Environment, fetchJson } from '../harness/environment.ts';
import { openConnection, requestBytes } from '../harness/http-connection.ts';
import { compare, repeat } from '../harness/load.ts';
import type { StartedProcess } from '../harness/processes.ts';
import type { Finding } from '../harness/table.ts';
import {
  buildReads,
  bulkPath,
  entitiesFrom,
  filledTo,
  inTurn,
  languages,
  operation,
  pageRequests,
  prepareSides,
  type Sides,
  searchPath,
  toFindings,
} from './catalog.ts';
import type { Scenario, Size } from './scenario.ts';

/** Sizes of a blueprint; `PORTOLAN_BENCH_ENTITIES=10000,100000` measures these instead of the size of the run. */
export function readSizes(size: Size): number[] {
  const given = process.env['PORTOLAN_BENCH_ENTITIES'];
  return given ? given.split(',').map(Number) : [size.entities];
}

/** Entities imported through the API for one size; the rest is copied below it, since a million takes long. */
const importedMax = Number(process.env['PORTOLAN_BENCH_IMPORT'] ?? 100_000);

export const perImport = 20;
const importers = 8;

interface ImportFigures {
  readonly perSecond: number;
  /** Before, and at the end of each tenth of the import. */
  readonly rss: readonly number[];
}

/** Brings both catalogs to a size: ours through the bulk endpoint, as an integration would, the other below its API. */
export async function growTo(
  environment: Environment,
  sides: Sides,
  from: number,
  entities: number,
): Promise<ImportFigures> {
  const imported = await importUntil(sides, from, Math.min(entities, from + importedMax));
  await copyRows(environment.databaseUrl('trivial'), trivialCopies, from, entities);
  if (from + importedMax < entities) {
    await copyRows(environment.databaseUrl('bench'), ourCopies, from + importedMax, entities);
  }
  filledTo.set(environment, entities);
  return imported;
}

async function importUntil(sides: Sides, from: number, entities: number): Promise<ImportFigures> {
  const { ours, headers } = sides;
  const rss = [await ours.rssMb()];
  const startedAt = performance.now();
  let next = from;
  const tenth = Math.max(1, Math.floor((entities - from) / 10));
  let sampleAt = from + tenth;
  const connections = await Promise.all(repeat(importers, () => openConnection(ours.port)));
  await Promise.all(
    connections.map(async (connection) => {
      for (let first = next; first < entities; first = next) {
        next += perImport;
        const answer = await connection.send(
          requestBytes('POST', bulkPath, { headers, body: { entities: entitiesFrom(first, 1) } }),
        );
        if (answer.status !== 200) throw new Error(`The import was refused: ${answer.body.toString('utf8')}`);
        if (next >= sampleAt) {
          sampleAt += tenth;
          rss.push(await ours.rssMb());
        }
      }
    }),
  );
  for (const connection of connections) connection.close();
  const seconds = (performance.now() - startedAt) / 1000;
  return { perSecond: (entities - from) / seconds, rss };
}

/** Rows as the import writes them, copied from the first thousand and numbered on. */
const trivialCopies = [
  `insert into rows (org, kind, identifier, title, properties, relations)
   select r.org, r.kind, 'service-' || i, 'Service ' || i, r.properties, r.relations
   from generate_series($1::int, $2::int - 1) as i
   join rows r on r.org = 'o' and r.kind = 'service' and r.identifier = 'service-' || (i % 1000)
   on conflict do nothing`,
];

const ourCopies = [
  `insert into entities (org_id, blueprint_key, identifier, title, properties, relations, derived, datasource, seen_at,
     created_at, created_by, updated_at, updated_by)
   select e.org_id, e.blueprint_key, 'service-' || i, 'Service ' || i, e.properties, e.relations, e.derived, e.datasource,
     e.seen_at, e.created_at, e.created_by, e.updated_at, e.updated_by
   from generate_series($1::int, $2::int - 1) as i
   join blueprints b on b.identifier = 'bench_service'
   join entities e on e.org_id = b.org_id and e.blueprint_key = b.key and e.identifier = 'service-' || (i % 1000)
   on conflict do nothing`,
  `insert into entity_relations (org_id, source_key, relation, target_key, source_blueprint_key, position)
   select e.org_id, e.key, 'owner', o.key, e.blueprint_key, 0 from generate_series($1::int, $2::int - 1) as i
   join blueprints b on b.identifier = 'bench_service'
   join blueprints c on c.identifier = 'bench_owner'
   join entities e on e.org_id = b.org_id and e.blueprint_key = b.key and e.identifier = 'service-' || i
   join entities o on o.org_id = c.org_id and o.blueprint_key = c.key and o.identifier = e.relations ->> 'owner'
   on conflict do nothing`,
];

async function copyRows(address: string, statements: readonly string[], from: number, to: number): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement, [from, to]);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

/** Asks for the page until the index that follows use is there; undefined if it was before. */
async function untilIndexed(environment: Environment, sides: Sides): Promise<number | undefined> {
  const startedAt = performance.now();
  const client = new pg.Client({ connectionString: environment.databaseUrl('bench') });
  await client.connect();
  const connection = await openConnection(sides.ours.port);
  const ask = inTurn(pageRequests(sides.headers));
  try {
    for (let turn = 0; ; turn += 1) {
      const { rows } = await client.query(
        `select 1 from pg_index where indexrelid::regclass::text like 'entities_used_%' and indisvalid`,
      );
      if (rows.length > 0) return turn === 0 ? undefined : performance.now() - startedAt;
      if (performance.now() - startedAt > 8 * 60_000) throw new Error('No index came by itself');
      for (let count = 0; count < 20; count += 1) await connection.send(ask());
      await sleep(1_000);
    }
  } finally {
    connection.close();
    await client.end();
  }
}

/**
 * A page with a filter, a keyset page further in and a point read, at sizes that grow, each against the trivial catalog;
 * and what the import that made the size cost in memory.
 */
export const scale: Scenario = {
  name: 'scale',
  async run(environment, size) {
    const start = 1_000;
    const sides = await prepareSides(environment, { ...size, entities: start });
    const findings: Finding[] = [];
    for (const entities of readSizes(size)) {
      const from = filledTo.get(environment) ?? start;
      const named = entities.toLocaleString('en-US');
      const { perSecond, rss } = await growTo(environment, sides, from, entities);
      const imported = Math.min(entities - from, importedMax).toLocaleString('en-US');
      findings.push(...importFindings(`import of ${imported} of ${named} entities`, perSecond, rss));
      const indexMs = await untilIndexed(environment, sides);
      const common = { path: `page of 20, filter, ${named} entities`, contender: 'ours' };
      if (indexMs !== undefined) {
        findings.push({ ...common, figure: 'index by itself after', value: indexMs / 1000, unit: 's' });
      }
      findings.push(...(await measurePages(sides, size, named)), ...(await measureReads(sides, size, entities, named)));
    }
    return findings;
  },
};

function importFindings(path: string, perSecond: number, rss: readonly number[]): Finding[] {
  const [before = 0, ...during] = rss;
  const note = `before ${before.toFixed(0)}, then ${during.map((each) => each.toFixed(0)).join(', ')}`;
  const common = { path, contender: 'ours' };
  return [
    { ...common, figure: 'entities', value: perSecond, unit: '/s' },
    { ...common, figure: 'most RSS', value: Math.max(...rss), unit: 'MB', budget: { of: 'value', most: 300 }, note },
  ];
}

async function measurePages({ ours, trivial, headers }: Sides, size: Size, named: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [what, simple, full] of [
    ['page of 20, filter', trivialPages(0), pageRequests(headers)],
    ['next page of 20, filter', trivialPages(500), await laterPages(ours, headers)],
  ] as const) {
    const loads = await compare(
      [
        { name: 'Fastify + pg', server: trivial, operate: operation(inTurn(simple), '"language"') },
        { name: 'ours', server: ours, operate: operation(inTurn(full), '"ownerCity"') },
      ],
      { ...size, connections: 16 },
    );
    findings.push(...toFindings(`${what}, ${named} entities`, loads, { of: 'ratio', least: 0.5 }));
  }
  return findings;
}

function trivialPages(after: number): Buffer[] {
  return languages.map((value) =>
    requestBytes('POST', '/rows/search', { body: { property: 'language', value, limit: 20, after } }),
  );
}

/** The same pages, each from where the first one ended. */
async function laterPages(ours: StartedProcess, headers: Sides['headers']): Promise<Buffer[]> {
  const pages: Buffer[] = [];
  for (const value of languages) {
    const query = { combinator: 'and', rules: [{ property: 'language', operator: '=', value }] };
    const { next } = await fetchJson(ours.port, 'POST', searchPath, headers, { query, limit: 20 });
    pages.push(requestBytes('POST', searchPath, { headers, body: { query, limit: 20, from: next } }));
  }
  return pages;
}

async function measureReads(
  { ours, trivial, headers }: Sides,
  size: Size,
  entities: number,
  named: string,
): Promise<Finding[]> {
  const identifiers = repeat(2_000, (index) => `service-${(index * 7_919) % entities}`);
  const loads = await compare(
    [
      {
        name: 'Fastify + pg',
        server: trivial,
        operate: operation(inTurn(identifiers.map((id) => requestBytes('GET', `/rows/${id}`))), '"language"'),
      },
      { name: 'ours', server: ours, operate: operation(inTurn(buildReads(identifiers, headers)), '"ownerCity"') },
    ],
    { ...size, connections: 16 },
  );
  return toFindings(`entity point read, ${named} entities`, loads, { of: 'ratio', least: 0.6 });
}
