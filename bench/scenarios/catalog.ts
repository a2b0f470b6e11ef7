import { type Environment, fetchJson } from '../harness/environment.ts';
import { type HttpConnection, requestBytes } from '../harness/http-connection.ts';
import { type Contender, compare, cpuRatio, type Load, throughputRatio } from '../harness/load.ts';
import type { StartedProcess } from '../harness/processes.ts';
import type { Budget, Finding } from '../harness/table.ts';
import type { Scenario, Size } from './scenario.ts';
import { formatNote } from './streams.ts';

export const languages = ['Go', 'Java', 'Kotlin', 'Python', 'Ruby', 'Rust', 'Swift', 'TypeScript'] as const;
const owners = 50;
const perRequest = 20;

const ownerBlueprint = {
  identifier: 'bench_owner',
  title: 'Owner',
  schema: { properties: { city: { type: 'string' } }, required: [] },
  relations: {},
};

/** Kinds of properties as they are usual, a relation, and a value that is derived over it. */
const serviceBlueprint = {
  identifier: 'bench_service',
  title: 'Service',
  schema: {
    properties: {
      language: { type: 'string', enum: [...languages] },
      tier: { type: 'number' },
      url: { type: 'string', format: 'url' },
      isPublic: { type: 'boolean' },
      lastDeploy: { type: 'string', format: 'date-time' },
      tags: { type: 'array', items: { type: 'string' } },
      config: { type: 'object' },
      readme: { type: 'string', format: 'markdown' },
    },
    required: ['language'],
  },
  relations: { owner: { target: 'bench_owner', required: false, many: false } },
  mirrorProperties: { ownerCity: { path: 'owner.city' } },
};

export interface Sides {
  readonly ours: StartedProcess;
  readonly trivial: StartedProcess;
  readonly headers: Readonly<Record<string, string>>;
}

export const bulkPath = '/v1/blueprints/bench_service/entities/bulk?upsert=true';

/** A service of which every value is as it usually is. */
export function entityAt(index: number, version: number) {
  return {
    identifier: `service-${index}`,
    title: `Service ${index}`,
    properties: {
      language: languages[index % languages.length],
      tier: (index % 4) + version,
      url: `https://service-${index}.example.com`,
      isPublic: index % 3 === 0,
      lastDeploy: '2026-01-15T10:00:00.000Z',
      tags: ['payments', `team-${index % owners}`],
      config: { replicas: version, region: 'eu-west-1', flags: { beta: true } },
      readme: `# Service ${index}\n\nHandles the orders of region ${index % 17}.`,
    },
    relations: { owner: `owner-${index % owners}` },
  };
}

export function entitiesFrom(first: number, version: number) {
  return Array.from({ length: perRequest }, (_, offset) => entityAt(first + offset, version));
}

/** How many entities both catalogs hold. */
export const filledTo = new WeakMap<Environment, number>();

const prepared = new WeakMap<Environment, Promise<Sides>>();

/** Both catalogs with the same entities; filled once per run. */
export function prepareSides(environment: Environment, size: Size): Promise<Sides> {
  let sides = prepared.get(environment);
  if (!sides) {
    sides = fill(environment, size.entities);
    prepared.set(environment, sides);
  }
  return sides;
}

async function fill(environment: Environment, entities: number): Promise<Sides> {
  const { ours, headers } = environment;
  const trivial = await environment.startContender('trivial-catalog.ts');
  await prepareCatalog(ours, headers);
  for (let first = 0; first < entities; first += perRequest) {
    const body = { entities: entitiesFrom(first, 1) };
    await fetchJson(trivial.port, 'POST', '/rows/bulk', {}, body);
    const written = await fetchJson(ours.port, 'POST', bulkPath, headers, body);
    if (written['ok'] !== true) throw new Error(`Entities were refused: ${JSON.stringify(written)}`);
  }
  filledTo.set(environment, entities);
  return { ours, trivial, headers };
}

/** The blueprints of a server of ours, and what their entities point at. */
export async function prepareCatalog({ port }: StartedProcess, headers: Sides['headers']): Promise<void> {
  for (const blueprint of [ownerBlueprint, serviceBlueprint]) {
    await fetchJson(port, 'POST', '/v1/blueprints', headers, blueprint);
  }
  for (let index = 0; index < owners; index += 1) {
    const owner = { identifier: `owner-${index}`, properties: { city: `City ${index % 9}` } };
    await fetchJson(port, 'POST', '/v1/blueprints/bench_owner/entities', headers, owner);
  }
}

/** Sends, and fails for an answer that is no success or does not hold the text. */
export function operation(request: () => Buffer, holds: string): Contender['operate'] {
  return async (connection: HttpConnection) => {
    const answer = await connection.send(request());
    if (answer.status !== 200 || !answer.body.includes(holds)) {
      throw new Error(`An answer is not as expected: ${answer.status} ${answer.body.toString('utf8').slice(0, 500)}`);
    }
  };
}

/** Requests that were made before the measurement, in turn. */
export function inTurn(requests: readonly Buffer[]): () => Buffer {
  let next = 0;
  return () => {
    next = (next + 1) % requests.length;
    return requests[next]!;
  };
}

/**
 * The lines of a comparison: the first load is what the others are measured by, the second is ours, and the budget is its.
 * `perOperation` is how many rows an operation writes.
 */
export function toFindings(
  path: string,
  [reference, ours, ...others]: readonly Load[],
  budget: Budget,
  perOperation = 1,
): Finding[] {
  if (!reference || !ours) throw new Error('Two loads were to be compared');
  const what = perOperation === 1 ? 'request' : 'row';
  const lines = (load: Load): Finding[] => [
    {
      path,
      contender: load.name,
      figure: `CPU per ${what}`,
      value: (load.cpuMs * 1000) / perOperation,
      unit: 'µs',
      ...(load === reference ? {} : { ratio: cpuRatio(reference, load) }),
      ...(load === ours ? { budget } : {}),
      note: formatNote(load),
    },
    {
      path,
      contender: load.name,
      figure: `${what}s`,
      value: load.perSecond * perOperation,
      unit: '/s',
      ...(load === reference ? {} : { ratio: throughputRatio(reference, load) }),
    },
  ];
  return [reference, ours, ...others].flatMap(lines);
}

export const pointRead: Scenario = {
  name: 'point-read',
  async run(environment, size) {
    const { ours, trivial, headers } = await prepareSides(environment, size);
    const identifiers = Array.from({ length: 500 }, (_, index) => `service-${(index * 7) % size.entities}`);
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
    return toFindings('entity point read', loads, { of: 'ratio', least: 0.6 });
  },
};

export function buildReads(identifiers: readonly string[], headers: Sides['headers']): Buffer[] {
  return identifiers.map((id) => requestBytes('GET', `/v1/blueprints/bench_service/entities/${id}`, { headers }));
}

export const searchPath = '/v1/blueprints/bench_service/entities/search';

/** A page of 20 for each language. */
export function pageRequests(headers: Sides['headers']): Buffer[] {
  return languages.map((value) => {
    const query = { combinator: 'and', rules: [{ property: 'language', operator: '=', value }] };
    return requestBytes('POST', searchPath, { headers, body: { query, limit: 20 } });
  });
}

export const page: Scenario = {
  name: 'page',
  async run(environment, size) {
    const { ours, trivial, headers } = await prepareSides(environment, size);
    const simple = languages.map((value) =>
      requestBytes('POST', '/rows/search', { body: { property: 'language', value, limit: 20 } }),
    );
    const loads = await compare(
      [
        { name: 'Fastify + pg', server: trivial, operate: operation(inTurn(simple), '"language"') },
        { name: 'ours', server: ours, operate: operation(inTurn(pageRequests(headers)), '"ownerCity"') },
      ],
      { ...size, connections: 16 },
    );
    return toFindings(`page of 20, filter, ${size.entities.toLocaleString('en-US')} entities`, loads, {
      of: 'ratio',
      least: 0.5,
    });
  },
};

export const bulkUpsert: Scenario = {
  name: 'bulk-upsert',
  async run(environment, size) {
    const sides = await prepareSides(environment, size);
    const budget: Budget = { of: 'ratio', least: 0.4 };
    // each request changes every one of its rows: versions and identifiers go on, and never come back
    const changed = (): ((make: (body: unknown) => Buffer) => () => Buffer) => (make) => {
      let count = 0;
      return () => {
        const first = (count * perRequest) % size.entities;
        const version = 2 + Math.floor((count * perRequest) / size.entities);
        count += 1;
        return make({ entities: entitiesFrom(first, version) });
      };
    };
    const added = (): ((make: (body: unknown) => Buffer) => () => Buffer) => (make) => {
      let first = 1_000_000;
      return () => {
        first += perRequest;
        return make({ entities: entitiesFrom(first, 1) });
      };
    };
    return [
      ...toFindings('bulk upsert, changes', await write(sides, changed, size), budget, perRequest),
      ...toFindings('bulk upsert, new rows', await write(sides, added, size), budget, perRequest),
    ];
  },
};

function write(
  { ours, trivial, headers }: Sides,
  source: () => (make: (body: unknown) => Buffer) => () => Buffer,
  size: Size,
): Promise<Load[]> {
  const simple = source()((body) => requestBytes('POST', '/rows/bulk', { body }));
  const full = source()((body) => requestBytes('POST', bulkPath, { headers, body }));
  return compare(
    [
      { name: 'Fastify + pg', server: trivial, operate: operation(simple, '"ok":true') },
      { name: 'ours', server: ours, operate: operation(full, '"ok":true') },
    ],
    { ...size, connections: 4 },
  );
}

export const mcpRead: Scenario = {
  name: 'mcp-read',
  async run(environment, size) {
    const { ours, headers } = await prepareSides(environment, size);
    const identifiers = Array.from({ length: 500 }, (_, index) => `service-${(index * 7) % size.entities}`);
    const calls = identifiers.map((identifier) => {
      const params = { name: 'get_entity', arguments: { blueprint: 'bench_service', identifier } };
      return requestBytes('POST', '/v1/mcp', {
        headers: { ...headers, accept: 'application/json, text/event-stream' },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      });
    });
    const bare = await environment.startContender('mcp-sdk-server.ts');
    const loads = await compare(
      [
        {
          name: 'our HTTP API',
          server: ours,
          operate: operation(inTurn(buildReads(identifiers, headers)), '"ownerCity"'),
        },
        { name: 'our MCP', server: ours, operate: operation(inTurn(calls), 'structuredContent') },
        { name: "MCP SDK's server + pg", server: bare, operate: operation(inTurn(calls), 'structuredContent') },
      ],
      { ...size, connections: 16 },
    );
    return toFindings('MCP point read', loads, { of: 'ratio', least: 0.5 });
  },
};
