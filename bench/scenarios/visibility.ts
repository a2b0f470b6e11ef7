import { setTimeout as sleep } from 'node:timers/promises';
import { openConnection, requestBytes } from '../harness/http-connection.ts';
import { repeat } from '../harness/load.ts';
import type { StartedProcess } from '../harness/processes.ts';
import { median, percentile } from '../harness/statistics.ts';
import type { Finding } from '../harness/table.ts';
import { bulkPath, entitiesFrom, filledTo, prepareSides, type Sides, searchPath } from './catalog.ts';
import { growTo, perImport, readSizes } from './scale.ts';
import type { Scenario } from './scenario.ts';

/** Changes a second that are offered first; then half of what was reached, so that nothing waits in line for long. */
const offeredFirst = 2_000;
const writers = 8;

/**
 * Services change in batches at a steady pace; a probe changes one owner and asks until no service of it shows an old
 * value. At most one probe is under way, and the time counts from the moment its change was sent.
 */
export const visibility: Scenario = {
  name: 'visibility',
  async run(environment, size) {
    const sides = await prepareSides(environment, { ...size, entities: 1_000 });
    const { ours, headers } = sides;
    const from = filledTo.get(environment) ?? 1_000;
    const entities = readSizes(size).at(-1) ?? size.entities;
    if (from < entities) await growTo(environment, sides, from, entities);
    const seconds = size.rounds < 5 ? 20 : 60;
    const findings: Finding[] = [];
    let offered = offeredFirst;
    for (const _phase of ['most', 'half']) {
      const until = performance.now() + seconds * 1000;
      const [changes, delays] = await Promise.all([
        changeServices(ours, headers, { entities, offered, until }),
        probe(ours, headers, until),
      ]);
      findings.push(...visibilityFindings(entities, offered, changes / seconds, delays));
      offered = Math.max(perImport, changes / seconds / 2);
    }
    return findings;
  },
};

function visibilityFindings(entities: number, offered: number, reached: number, delays: readonly number[]): Finding[] {
  const path = `change to visible, ${entities.toLocaleString('en-US')} entities, ${offered.toFixed(0)}/s offered`;
  const common = { path, contender: 'ours' };
  const note = `${delays.length} probes, p50 ${median([...delays]).toFixed(0)} ms, most ${Math.max(...delays).toFixed(0)} ms`;
  const budget = { of: 'value', most: 1_000 } as const;
  return [
    { ...common, figure: 'p95', value: percentile([...delays], 0.95), unit: 'ms', budget, note },
    { ...common, figure: 'changes', value: reached, unit: '/s' },
  ];
}

interface Changes {
  readonly entities: number;
  readonly offered: number;
  readonly until: number;
  /** Where batches go; our own address for them unless told. */
  readonly path?: string;
}

/** Offers changes of services, each of which has derived values of its own, until a moment; how many were made. */
export async function changeServices(
  ours: StartedProcess,
  headers: Sides['headers'],
  { entities, offered, until, path = bulkPath }: Changes,
): Promise<number> {
  const connections = await Promise.all(repeat(writers, () => openConnection(ours.port)));
  const startedAt = performance.now();
  let sent = 0;
  let done = 0;
  let version = 10;
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < until) {
        const due = ((performance.now() - startedAt) / 1000) * offered;
        if (sent >= due) {
          await sleep(1);
          continue;
        }
        const first = (sent * 7) % (entities - perImport);
        sent += perImport;
        version += 1;
        const body = { entities: entitiesFrom(first, version) };
        const answer = await connection.send(requestBytes('POST', path, { headers, body }));
        if (answer.status !== 200) throw new Error(`A change was refused: ${answer.body.toString('utf8')}`);
        done += perImport;
      }
    }),
  );
  for (const connection of connections) connection.close();
  return done;
}

/** Changes an owner, and waits until the last of its services shows the new value. */
async function probe(ours: StartedProcess, headers: Sides['headers'], until: number): Promise<number[]> {
  const delays: number[] = [];
  const connection = await openConnection(ours.port);
  for (let turn = 0; performance.now() < until; turn += 1) {
    const owner = `owner-${turn % 50}`;
    const city = `City of ${turn}`;
    const startedAt = performance.now();
    const changed = await connection.send(
      requestBytes('PATCH', `/v1/blueprints/bench_owner/entities/${owner}`, {
        headers,
        body: { properties: { city } },
      }),
    );
    if (changed.status !== 200) throw new Error(`The probe was refused: ${changed.body.toString('utf8')}`);
    const rules = [
      { property: { path: ['owner'] }, operator: 'matchAny', value: [owner] },
      { property: 'ownerCity', operator: '!=', value: city },
    ];
    const stale = requestBytes('POST', searchPath, {
      headers,
      body: { query: { combinator: 'and', rules }, limit: 1, include: ['$identifier'] },
    });
    while (!(await connection.send(stale)).body.includes('"entities":[]')) await sleep(5);
    delays.push(performance.now() - startedAt);
  }
  connection.close();
  return delays;
}
