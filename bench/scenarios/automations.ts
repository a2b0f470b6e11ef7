import { setTimeout as sleep } from 'node:timers/promises';
import { fetchJson } from '../harness/environment.ts';
import { openConnection, requestBytes } from '../harness/http-connection.ts';
import type { Started } from '../harness/processes.ts';
import { median, percentile } from '../harness/statistics.ts';
import type { Finding } from '../harness/table.ts';
import { sidesOf } from './catalog.ts';
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
    const { ours, headers } = await sidesOf(environment, { ...size, entities });
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
        probe(ours, headers, phase, until),
      ]);
      findings.push(...findingsOf(offered, changes / seconds, delays));
      // what waits in line is not the next phase's
      await probe(ours, headers, `after-${phase}`, performance.now() + 1);
      offered = Math.max(20, changes / seconds / 2);
    }
    return findings;
  },
};

async function alone(
  ours: Started,
  headers: Readonly<Record<string, string>>,
  seconds: number,
  what: string,
): Promise<Finding> {
  const until = performance.now() + seconds * 1000;
  const changes = await changeServices(ours, headers, { entities, offered: offeredFirst, until });
  const path = `changes with ${what}, ${offeredFirst}/s offered`;
  return { path, contender: 'ours', figure: 'changes', value: changes / seconds, unit: '/s' };
}

function findingsOf(offered: number, reached: number, delays: readonly number[]): Finding[] {
  const common = { path: `event to effect, 3 automations, ${offered.toFixed(0)}/s offered`, contender: 'ours' };
  const note = `${delays.length} probes, p50 ${median([...delays]).toFixed(0)} ms, most ${Math.max(...delays).toFixed(0)} ms`;
  const budget = { of: 'value', most: 1_000 } as const;
  return [
    { ...common, figure: 'p95', value: percentile([...delays], 0.95), unit: 'ms', budget, note },
    { ...common, figure: 'changes', value: reached, unit: '/s' },
  ];
}

/** Creates services whose event an automation reacts to, and waits for each effect; one at a time. */
async function probe(
  ours: Started,
  headers: Readonly<Record<string, string>>,
  phase: string,
  until: number,
): Promise<number[]> {
  const delays: number[] = [];
  const connection = await openConnection(ours.port);
  for (let turn = 0; performance.now() < until; turn += 1) {
    const identifier = `probe-${phase}-${turn}`;
    const startedAt = performance.now();
    const created = await connection.send(
      requestBytes('POST', '/v1/blueprints/bench_service/entities', {
        headers,
        body: { identifier, properties: { language: 'Go' } },
      }),
    );
    if (created.status !== 201) throw new Error(`The probe was refused: ${created.body.toString('utf8')}`);
    const effect = requestBytes('GET', `/v1/blueprints/bench_effect/entities/${identifier}`, { headers });
    while ((await connection.send(effect)).status !== 200) await sleep(5);
    delays.push(performance.now() - startedAt);
  }
  connection.close();
  return delays;
}
