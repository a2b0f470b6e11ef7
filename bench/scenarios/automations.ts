import { setTimeout as sleep } from 'node:timers/promises';
import { type Environment, fetchJson } from '../harness/environment.ts';
import { openConnection, requestBytes } from '../harness/http-connection.ts';
import type { StartedProcess } from '../harness/processes.ts';
import { median, percentile } from '../harness/statistics.ts';
import type { Finding } from '../harness/table.ts';
import { prepareSides } from './catalog.ts';
import type { Scenario } from './scenario.ts';
import { changeServices } from './visibility.ts';

/** Changes a second that are offered first; then half of what was reached, so that nothing waits in line for long. */
const offeredFirst = 2_000;
const entities = 1_000;

/** Each event is put to all three conditions; those of the probes hold for one, which writes another entity. */
const conditions = [
  '.context.entityIdentifier | startswith("probe-")',
  '.diff.before.properties.language != .diff.after.properties.language and .diff.after.properties.tier < 0',
  '.diff.after.properties.tags | any(. == "nobody")',
];

/**
 * Services change in batches at a steady pace through three automations; a probe creates a service and asks until the
 * entity that an automation writes for it is there. The time counts from the moment the probe was sent.
 */
export const automations: Scenario = {
  name: 'automations',
  async run(environment, size) {
    const { ours, headers } = await prepareSides(environment, { ...size, entities });
    const seconds = size.rounds < 5 ? 20 : 60;
    const effects = { identifier: 'bench_effect', title: 'Effect', schema: { properties: {}, required: [] } };
    await fetchJson(ours.port, 'POST', '/v1/blueprints', headers, effects);
    const findings = [await alone(ours, headers, seconds, 'no automation')];
    for (const [index, expression] of conditions.entries()) {
      const body = {
        identifier: `bench_automation_${index}`,
        trigger: {
          type: 'automation',
          event: { type: 'ANY_ENTITY_CHANGE', blueprintIdentifier: 'bench_service' },
          condition: { type: 'JQ', expressions: [expression] },
        },
        invocationMethod: {
          type: 'UPSERT_ENTITY',
          blueprintIdentifier: 'bench_effect',
          mapping: { identifier: '{{ .event.context.entityIdentifier }}' },
        },
      };
      await fetchJson(ours.port, 'POST', '/v1/actions', headers, body);
    }
    let offered = offeredFirst;
    for (const phase of ['most', 'half']) {
      const until = performance.now() + seconds * 1000;
      const [changes, delays] = await Promise.all([
        changeServices(ours, headers, { entities, offered, until }),
        probe(createService(ours, headers), phase, until),
      ]);
      // what waits in line is not the next phase's
      await probe(createService(ours, headers), `after-${phase}`, performance.now() + 1);
      const bare = await bareQueue(environment, { offered, phase, seconds });
      findings.push(...toFindings(offered, { changes: changes / seconds, delays }, bare));
      offered = Math.max(20, changes / seconds / 2);
    }
    return findings;
  },
};

async function alone(
  ours: StartedProcess,
  headers: Readonly<Record<string, string>>,
  seconds: number,
  what: string,
): Promise<Finding> {
  const until = performance.now() + seconds * 1000;
  const changes = await changeServices(ours, headers, { entities, offered: offeredFirst, until });
  const path = `changes with ${what}, ${offeredFirst}/s offered`;
  return { path, contender: 'ours', figure: 'changes', value: changes / seconds, unit: '/s' };
}

interface MeasuredDelays {
  readonly changes: number;
  readonly delays: readonly number[];
}

/** The same load on a table that is a queue, and a consumer that writes the row at once: what the work costs at least. */
async function bareQueue(
  environment: Environment,
  { offered, phase, seconds }: { readonly offered: number; readonly phase: string; readonly seconds: number },
): Promise<MeasuredDelays> {
  const bare = await environment.startContender('trivial-events.ts');
  const until = performance.now() + seconds * 1000;
  const [changes, delays] = await Promise.all([
    changeServices(bare, {}, { entities, offered, until, path: '/changes/bulk' }),
    probe(createRow(bare), phase, until),
  ]);
  await probe(createRow(bare), `after-${phase}`, performance.now() + 1);
  return { changes: changes / seconds, delays };
}

function toFindings(offered: number, ours: MeasuredDelays, bare: MeasuredDelays): Finding[] {
  const path = `event to effect, 3 automations, ${offered.toFixed(0)}/s offered`;
  const budget = { of: 'value', most: 1_000 } as const;
  const p95 = ({ delays }: MeasuredDelays): number => percentile([...delays], 0.95);
  const linesOf = (contender: string, measured: MeasuredDelays, more: Partial<Finding>): Finding[] => [
    { path, contender, figure: 'p95', value: p95(measured), unit: 'ms', note: formatNote(measured), ...more },
    { path, contender, figure: 'changes', value: measured.changes, unit: '/s' },
  ];
  return [
    ...linesOf('Fastify + pg queue', bare, {}),
    ...linesOf('ours', ours, { ratio: p95(bare) / p95(ours), budget }),
  ];
}

function formatNote({ delays }: MeasuredDelays): string {
  return `${delays.length} probes, p50 ${median([...delays]).toFixed(0)} ms, most ${Math.max(...delays).toFixed(0)} ms`;
}

/** How a probe is made, and where its effect shows. */
interface ProbedServer {
  readonly port: number;
  create(identifier: string): Buffer;
  effectOf(identifier: string): Buffer;
}

function createService({ port }: StartedProcess, headers: Readonly<Record<string, string>>): ProbedServer {
  return {
    port,
    create: (identifier) => {
      const body = { identifier, properties: { language: 'Go' } };
      return requestBytes('POST', '/v1/blueprints/bench_service/entities', { headers, body });
    },
    effectOf: (identifier) => requestBytes('GET', `/v1/blueprints/bench_effect/entities/${identifier}`, { headers }),
  };
}

function createRow({ port }: StartedProcess): ProbedServer {
  return {
    port,
    create: (identifier) => {
      const entities = [{ identifier, properties: { language: 'Go' }, relations: {} }];
      return requestBytes('POST', '/changes/bulk', { body: { entities } });
    },
    effectOf: (identifier) => requestBytes('GET', `/effects/${identifier}`),
  };
}

/** Creates what is reacted to, and waits for each effect; one at a time. */
async function probe({ port, create, effectOf }: ProbedServer, phase: string, until: number): Promise<number[]> {
  const delays: number[] = [];
  const connection = await openConnection(port);
  for (let turn = 0; performance.now() < until; turn += 1) {
    const identifier = `probe-${phase}-${turn}`;
    const startedAt = performance.now();
    const created = await connection.send(create(identifier));
    if (created.status >= 300) throw new Error(`The probe was refused: ${created.body.toString('utf8')}`);
    const effect = effectOf(identifier);
    while ((await connection.send(effect)).status !== 200) await sleep(5);
    delays.push(performance.now() - startedAt);
  }
  connection.close();
  return delays;
}
