import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { type Environment, fetchJson } from '../harness/environment.ts';
import { type HttpConnection, openConnection, requestBytes } from '../harness/http-connection.ts';
import type { StartedProcess } from '../harness/processes.ts';
import { median } from '../harness/statistics.ts';
import type { Budget, Finding } from '../harness/table.ts';
import { bulkPath, entityAt, prepareCatalog, prepareSides, type Sides } from './catalog.ts';
import type { Scenario, Size } from './scenario.ts';

/** Rows of the bare alternative's requests: as many as a chunk of ours has lines. */
const perChunk = 500;
const perBulk = 20;

/** What rows cost one server. */
interface Cost {
  readonly cpuMicroseconds: number;
  readonly perSecond: number;
}

/** Writes the rows `from` up to `to`, in a version that makes them new, changed or unchanged. */
type Send = (from: number, to: number, version: number) => Promise<void>;

/**
 * A streamed import beside our bulk endpoint, as public clients use it, and beside bare Fastify and `pg` with batches of
 * the same size, each from one client. With `PORTOLAN_BENCH_IMPORT`, that many new lines into a database of their own,
 * to see whether memory grows; 100,000 lines into the embedded engine.
 */
export const imports: Scenario = {
  name: 'import',
  async run(environment, size) {
    const sides = await prepareSides(environment, size);
    const findings = await compareSenders(sides, size);
    const lines = Number(process.env['PORTOLAN_BENCH_IMPORT'] ?? 0);
    if (lines > 0) findings.push(...(await importMany(environment, lines)));
    findings.push(...(await importEmbedded(environment, size.entities >= 10_000 ? 100_000 : 10_000)));
    return findings;
  },
};

async function compareSenders(sides: Sides, size: Size): Promise<Finding[]> {
  const { ours, trivial, headers } = sides;
  const { source } = (await fetchJson(ours.port, 'POST', '/v1/sources', headers, {
    type: 'file',
    identifier: 'bench',
  })) as { source: { identifier: string } };
  const bare = await openConnection(trivial.port);
  const bulk = await openConnection(ours.port);
  const senders = [
    { name: 'Fastify + pg', server: trivial, send: sendBatches(bare, '/rows/bulk', {}, perChunk) },
    { name: 'our bulk of 20', server: ours, send: sendBatches(bulk, bulkPath, headers, perBulk) },
    { name: 'our import', server: ours, send: sendImport(ours, headers, '') },
    { name: 'our import with a source', server: ours, send: sendImport(ours, headers, `&source=${source.identifier}`) },
  ] as const;
  const rows = size.entities >= 10_000 ? 20_000 : 5_000;
  const costs = { new: senders.map(() => [] as Cost[]), changed: senders.map(() => [] as Cost[]) };
  const unchanged: Cost[] = [];
  // identifiers apart, so that each sender finds what it wrote itself
  const first = (sender: number, round: number): number => 10_000_000 * (sender + 1) + round * rows;
  for (let round = -1; round < size.rounds; round += 1) {
    for (const [at, { server, send }] of senders.entries()) {
      const from = first(at, round + 1);
      const created = await measure(server, rows, () => send(from, from + rows, 1));
      const changed = await measure(server, rows, () => send(from, from + rows, 2));
      // the first round warms up
      if (round < 0) continue;
      costs.new[at]?.push(created);
      costs.changed[at]?.push(changed);
      if (at === 3) unchanged.push(await measure(server, rows, () => send(from, from + rows, 2)));
    }
  }
  bare.close();
  bulk.close();
  const sizes = rows.toLocaleString('en-US');
  const names = senders.map(({ name }) => name);
  return [
    ...toFindings(`${sizes} new rows`, names, costs.new, { of: 'value', most: 60 }),
    ...toFindings(`${sizes} changed rows`, names, costs.changed, { of: 'value', most: 80 }),
    ...toFindings(`${sizes} unchanged rows`, ['our import with a source'], [unchanged], { of: 'value', most: 15 }),
  ];
}

function sendBatches(connection: HttpConnection, path: string, headers: Sides['headers'], count: number): Send {
  return async (from, to, version) => {
    for (let first = from; first < to; first += count) {
      const entities = Array.from({ length: count }, (_, offset) => entityAt(first + offset, version));
      const answer = await connection.send(requestBytes('POST', path, { headers, body: { entities } }));
      if (answer.status >= 300) throw new Error(`Rows were refused: ${answer.body.toString('utf8').slice(0, 300)}`);
    }
  };
}

function sendImport({ port }: StartedProcess, headers: Sides['headers'], query: string): Send {
  return async (from, to, version) => {
    const body = Readable.from(linesOf(from, to, version));
    const path = `/v1/imports?blueprint=bench_service${query}`;
    const done = await stream(port, path, headers, body, () => undefined);
    if (done['status'] !== 'completed' || done['refused'] !== 0) throw new Error(JSON.stringify(done));
  };
}

function* linesOf(from: number, to: number, version: number): Generator<string> {
  for (let first = from; first < to; first += perChunk) {
    let text = '';
    for (let at = first; at < Math.min(to, first + perChunk); at += 1) {
      text += `${JSON.stringify(entityAt(at, version))}\n`;
    }
    yield text;
  }
}

/** Sends lines, and tells of each line of the answer as it comes; resolves to the last one. */
function stream(
  port: number,
  path: string,
  headers: Sides['headers'],
  body: Readable,
  onLine: (line: Record<string, unknown>) => void,
): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method: 'POST' };
    const sent = httpRequest({ ...options, headers: { ...headers, 'content-type': 'application/x-ndjson' } });
    sent.on('error', reject);
    sent.on('response', (answer) => {
      let rest = '';
      let last: Record<string, unknown> = {};
      answer.setEncoding('utf8');
      answer.on('error', reject);
      answer.on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          last = JSON.parse(line) as Record<string, unknown>;
          onLine(last);
        }
      });
      answer.on('end', () =>
        last['done'] ? resolve(last) : reject(new Error(`Cut off: ${JSON.stringify(last)}${rest}`)),
      );
    });
    body.on('error', reject);
    body.pipe(sent);
  });
}

async function measure(server: StartedProcess, rows: number, work: () => Promise<void>): Promise<Cost> {
  const cpuBefore = await server.cpuMs();
  const startedAt = performance.now();
  await work();
  const ms = performance.now() - startedAt;
  const cpuMs = (await server.cpuMs()) - cpuBefore;
  return { cpuMicroseconds: (cpuMs * 1000) / rows, perSecond: rows / (ms / 1000) };
}

/** The first sender is what the others are compared with; the budget is that of imports. */
function toFindings(
  path: string,
  names: readonly string[],
  costs: readonly (readonly Cost[])[],
  budget: Budget,
): Finding[] {
  const sums = costs.map((each) => ({
    cpu: median(each.map(({ cpuMicroseconds }) => cpuMicroseconds)),
    rows: median(each.map(({ perSecond }) => perSecond)),
  }));
  const [reference] = sums;
  return sums.flatMap(({ cpu, rows }, at): Finding[] => {
    const contender = names[at] ?? '';
    const isOurs = contender.startsWith('our import');
    const cpuRatio = at === 0 || !reference ? {} : { ratio: reference.cpu / cpu };
    const rowRatio = at === 0 || !reference ? {} : { ratio: rows / reference.rows };
    return [
      { path, contender, figure: 'CPU per row', value: cpu, unit: 'µs', ...cpuRatio, ...(isOurs ? { budget } : {}) },
      { path, contender, figure: 'rows', value: rows, unit: '/s', ...rowRatio },
    ];
  });
}

/** New lines into a fresh server, with what it holds of memory at each tenth. */
async function importMany(environment: Environment, lines: number): Promise<Finding[]> {
  const server = await environment.startOurs({ dataDir: environment.folder('import'), database: 'import' });
  const headers = await environment.headersFor(server);
  await prepareCatalog(server, headers);
  const memory: number[] = [await server.rssMb()];
  let most = 0;
  const cost = await measure(server, lines, async () => {
    const path = '/v1/imports?blueprint=bench_service';
    const samples: Promise<void>[] = [];
    await stream(server.port, path, headers, Readable.from(linesOf(0, lines, 1)), ({ line }) => {
      if (typeof line !== 'number') return;
      samples.push(
        server.rssMb().then((mb) => {
          most = Math.max(most, mb);
          if (line % (lines / 10) === 0) memory.push(mb);
        }),
      );
    });
    await Promise.all(samples);
  });
  await server.stop();
  const path = `import of ${lines.toLocaleString('en-US')} new lines`;
  const note = `before and at each tenth: ${memory.map((mb) => mb.toFixed(0)).join(', ')} MB`;
  return [
    { path, contender: 'ours', figure: 'most RSS', value: most, unit: 'MB', budget: { of: 'value', most: 250 }, note },
    { path, contender: 'ours', figure: 'CPU per row', value: cost.cpuMicroseconds, unit: 'µs' },
    { path, contender: 'ours', figure: 'rows', value: cost.perSecond, unit: '/s' },
  ];
}

/** The first load of an installation without a database of its own. */
async function importEmbedded(environment: Environment, lines: number): Promise<Finding[]> {
  const server = await environment.startOurs({
    dataDir: environment.folder('import-embedded'),
    settings: { PORTOLAN_DEMO: '0' },
  });
  const headers = await environment.headersFor(server);
  await prepareCatalog(server, headers);
  const send = sendImport(server, headers, '');
  const cost = await measure(server, lines, () => send(0, lines, 1));
  await server.stop();
  const path = `import of ${lines.toLocaleString('en-US')} new lines, embedded engine`;
  const seconds = lines / cost.perSecond;
  const most = (120 * lines) / 100_000;
  return [
    { path, contender: 'ours', figure: 'time', value: seconds, unit: 's', budget: { of: 'value', most } },
    { path, contender: 'ours', figure: 'rows', value: cost.perSecond, unit: '/s' },
  ];
}
