import { cpus } from 'node:os';
import { builtServer, openEnvironment } from './harness/environment.ts';
import { canPin } from './harness/processes.ts';
import { type Finding, renderTable } from './harness/table.ts';
import { automations } from './scenarios/automations.ts';
import { bulkUpsert, mcpRead, page, pointRead } from './scenarios/catalog.ts';
import { imports } from './scenarios/imports.ts';
import { oneOrganization } from './scenarios/one-organization.ts';
import { portal } from './scenarios/portal.ts';
import { portalMap } from './scenarios/portal-map.ts';
import { portalPages } from './scenarios/portal-pages.ts';
import { replicaReads } from './scenarios/replica-reads.ts';
import { resync } from './scenarios/resync.ts';
import { scale } from './scenarios/scale.ts';
import { fullSize, quickSize, type Scenario } from './scenarios/scenario.ts';
import { slowStreams } from './scenarios/slow-streams.ts';
import { startAndMemory } from './scenarios/start.ts';
import { concurrentStreams, firstText, streamCpu } from './scenarios/streams.ts';
import { timeTravel } from './scenarios/time-travel.ts';
import { usersAndTeams } from './scenarios/users-and-teams.ts';
import { visibility } from './scenarios/visibility.ts';
import { webhookIngest } from './scenarios/webhook-ingest.ts';
import { workflows } from './scenarios/workflows.ts';

const scenarios: readonly Scenario[] = [
  firstText,
  streamCpu,
  concurrentStreams,
  slowStreams,
  oneOrganization,
  pointRead,
  page,
  bulkUpsert,
  imports,
  mcpRead,
  startAndMemory,
  scale,
  visibility,
  automations,
  webhookIngest,
  workflows,
  replicaReads,
  resync,
  usersAndTeams,
  timeTravel,
  portal,
  portalPages,
  portalMap,
];

const parameters = process.argv.slice(2);
const names = parameters.filter((parameter) => !parameter.startsWith('-'));
const unknown = names.filter((name) => !scenarios.some((scenario) => scenario.name === name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are: ${scenarios.map(({ name }) => name).join(', ')}`);
  process.exit(1);
}

const size = parameters.includes('--quick') ? quickSize : fullSize;
const chosen = scenarios.filter(({ name }) => names.length === 0 || names.includes(name));
const startedAt = performance.now();
console.log(
  `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ` +
    `${canPin() ? 'server pinned to one core, all else to another' : 'processes are not pinned'}`,
);
// what was started ends with this process, also when it is interrupted
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const nodeArgs = parameters.filter((parameter) => parameter.startsWith('--cpu-prof'));
const other = parameters.find((parameter) => parameter.startsWith('--server='))?.slice('--server='.length);
const environment = await openEnvironment({ serverMain: other ?? builtServer, nodeArgs });
try {
  const findings: Finding[] = [];
  for (const scenario of chosen) {
    console.error(`${scenario.name} …`);
    const found = await scenario.run(environment, size);
    findings.push(...found);
    console.error(renderTable(found));
  }
  console.log(renderTable(findings));
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
} finally {
  await environment.close();
}
