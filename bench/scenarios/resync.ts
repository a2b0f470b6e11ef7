import { setTimeout as sleep } from 'node:timers/promises';
import { fetchJson } from '../harness/environment.ts';
import type { StartedProcess } from '../harness/processes.ts';
import type { Finding } from '../harness/table.ts';
import type { Scenario } from './scenario.ts';

type Headers = Readonly<Record<string, string>>;

const repositories = 500;
const issues = 9_500;
const stale = 100;
const perRequest = 20;
const agent = 'port-ocean/github-ocean/1.0.0/the-sync/exporter';
const flags = '?upsert=true&merge=true&create_missing_related_entities=true';

/**
 * A sync of ten thousand entities whose targets come after what points at them: cut by a kill -9 of the server, resumed,
 * cleaned of what is stale, and made once more. Fails if anything is lost, there twice, or changed by the second time.
 */
export const resync: Scenario = {
  name: 'resync',
  async run(environment) {
    const start = async (): Promise<{ server: StartedProcess; headers: Headers }> => {
      const server = await environment.startOurs({
        dataDir: environment.folder('resync'),
        database: 'resync',
        settings: { PORTOLAN_DEMO: '0' },
      });
      return { server, headers: { ...(await environment.headersFor(server)), 'user-agent': agent } };
    };
    const first = await start();
    await prepare(first.server, first.headers);
    let sent = 0;
    const cut = sync(first.server, first.headers, (count) => {
      sent += count;
      if (sent >= (repositories + issues) / 2) process.kill(first.server.pid, 'SIGKILL');
    });
    await cut.then(
      () => Promise.reject(new Error('The kill did not cut the sync')),
      () => undefined,
    );
    await first.server.stop();

    const { server, headers } = await start();
    await sleep(5);
    const before = new Date().toISOString();
    const full = await timed(server, () => sync(server, headers));
    const old = await listStale(server, headers, before);
    if (old.length !== stale) throw new Error(`${old.length} entities count as stale instead of ${stale}`);
    for (let from = 0; from < old.length; from += 100) {
      const entities = old.slice(from, from + 100);
      const path = '/v1/blueprints/repo/bulk/entities/delete?delete_dependents=true';
      await fetchJson(server.port, 'POST', path, headers, { entities });
    }
    const stored = await readState(server, headers);
    const secondBefore = new Date().toISOString();
    const again = await timed(server, () => sync(server, headers));
    if ((await readState(server, headers)) !== stored) throw new Error('The second sync changed something');
    if ((await listStale(server, headers, secondBefore)).length > 0)
      throw new Error('The second sync left something out');
    await server.stop();
    return [...toFindings('after a kill -9 in the middle', full), ...toFindings('again, nothing changed', again)];
  },
};

async function prepare({ port }: StartedProcess, headers: Headers): Promise<void> {
  const blueprint = (identifier: string, relations: object) =>
    fetchJson(port, 'POST', '/v1/blueprints', headers, {
      identifier,
      title: identifier,
      schema: { properties: { n: { type: 'number' } } },
      relations,
    });
  await blueprint('repo', {});
  await fetchJson(port, 'PATCH', '/v1/blueprints/repo', headers, { relations: { upstream: { target: 'repo' } } });
  await blueprint('issue', { repo: { target: 'repo', required: true } });
  await fetchJson(port, 'POST', '/v1/integration', headers, {
    installationId: 'the-sync',
    installationAppType: 'github-ocean',
    version: '1.0.0',
    config: {},
    changelogDestination: {},
  });
  const gone = Array.from({ length: stale }, (_, at) => ({ identifier: `gone-${at}` }));
  for (let from = 0; from < stale; from += perRequest) {
    const body = { entities: gone.slice(from, from + perRequest) };
    await fetchJson(port, 'POST', `/v1/blueprints/repo/entities/bulk${flags}`, headers, body);
  }
}

/** Issues before the repositories that they point at, and those before the ones that they come from. */
async function sync(
  { port }: StartedProcess,
  headers: Headers,
  onBatch: (count: number) => void = () => {},
): Promise<void> {
  const write = async (blueprint: string, entities: readonly object[]): Promise<void> => {
    for (let from = 0; from < entities.length; from += perRequest) {
      const body = { entities: entities.slice(from, from + perRequest) };
      const path = `/v1/blueprints/${blueprint}/entities/bulk${flags}`;
      const answer = await fetchJson(port, 'POST', path, headers, body);
      if ((answer['errors'] as unknown[]).length > 0) throw new Error(JSON.stringify(answer['errors']));
      onBatch(body.entities.length);
    }
  };
  const all = (count: number, make: (at: number) => object) => Array.from({ length: count }, (_, at) => make(at));
  await write(
    'issue',
    all(issues, (n) => ({
      identifier: `issue-${n}`,
      properties: { n },
      relations: { repo: `repo-${n % repositories}` },
    })),
  );
  await write(
    'repo',
    all(repositories, (n) => ({
      identifier: `repo-${n}`,
      properties: { n },
      relations: { upstream: `repo-${(n * 7) % repositories}` },
    })),
  );
}

async function listStale({ port }: StartedProcess, headers: Headers, before: string): Promise<string[]> {
  const body = {
    datasource_prefix: 'port-ocean/github-ocean/',
    datasource_suffix: '/the-sync/exporter',
    before,
    limit: 5_000,
  };
  const listed: string[] = [];
  for (let from: string | undefined; ; ) {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/blueprints/entities/datasource-entities`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, from }),
    });
    const page = (await answer.json()) as { entities: { identifier: string }[]; next?: string };
    listed.push(...page.entities.map(({ identifier }) => identifier));
    if (!page.next) break;
    from = page.next;
  }
  return listed;
}

/** Everything that could differ: what there is, when it changed, and the newest record of the audit log. */
async function readState({ port }: StartedProcess, headers: Headers): Promise<string> {
  const parts = 'include=identifier&include=properties&include=relations&include=updatedAt';
  const read = async (blueprint: string, expected: number): Promise<string> => {
    // whole lists come in chunks, which the connections of the load do not read
    const answer = await fetch(`http://127.0.0.1:${port}/v1/blueprints/${blueprint}/entities?${parts}`, { headers });
    const { entities } = (await answer.json()) as { entities: { identifier: string }[] };
    const names = new Set(entities.map(({ identifier }) => identifier));
    if (entities.length !== expected || names.size !== expected) {
      throw new Error(`There are ${entities.length} of ${blueprint} instead of ${expected}`);
    }
    return JSON.stringify(entities);
  };
  const { audits } = await fetchJson(port, 'GET', '/v1/audit-log?limit=1', headers);
  return [await read('issue', issues), await read('repo', repositories), JSON.stringify(audits)].join();
}

interface TimedResync {
  readonly ms: number;
  readonly cpuMs: number;
}

async function timed(server: StartedProcess, work: () => Promise<void>): Promise<TimedResync> {
  const cpuBefore = await server.cpuMs();
  const startedAt = performance.now();
  await work();
  return { ms: performance.now() - startedAt, cpuMs: (await server.cpuMs()) - cpuBefore };
}

function toFindings(what: string, { ms, cpuMs }: TimedResync): Finding[] {
  const all = repositories + issues;
  const common = { path: `sync of ${all.toLocaleString('en-US')} entities, ${what}`, contender: 'ours' };
  return [
    { ...common, figure: 'entities', value: all / (ms / 1000), unit: '/s', note: `${(ms / 1000).toFixed(0)} s` },
    { ...common, figure: 'CPU per entity', value: (cpuMs * 1000) / all, unit: 'µs' },
  ];
}
