import type { NodeRunLogLine, NodeRunReportBody, OfferedNodeRun } from '@portolan/contract/workflow-node-runs';
import { type Actor, isAdmin, openedFor } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { asksForSecrets, assertExecutor, executesFor, secretsNamed } from '../../actions/index.ts';
import type { StoredNodeRun } from '../runs/workflow-run.ts';
import { type NodeRunDeps, presentOffer } from './claim-node-runs.ts';
import type { LogLine } from './node-run.ports.ts';
import { insertLogLines, listByExternalId, listLogLines } from './node-run.store.ts';
import { isWebAddress } from './web-address.ts';

/**
 * Stores an executor's report, which ends the node run or tells of progress. Whoever executes it knows its secrets and
 * may repeat them, so they are masked.
 * @throws AppError `not_found`, `missing_permissions`, `node_run_ended`
 */
export async function reportNodeRun(
  deps: NodeRunDeps,
  caller: Actor,
  id: string,
  { status, result, output, links, externalRunId, logs }: NodeRunReportBody,
): Promise<StoredNodeRun> {
  const actor = await openReport(deps, caller, id);
  const report = {
    ...(status ? { status } : {}),
    ...(result ? { result } : {}),
    ...(output === undefined ? {} : { output }),
    ...(links ? { links: links.filter(isWebAddress) } : {}),
    ...(externalRunId ? { externalRunId } : {}),
    ...(logs ? { logs } : {}),
  };
  return deps.report(actor, id, openedFor(actor).mask(report));
}

/** Adds lines to the log, also of a node run that has ended. @throws AppError as `reportNodeRun` */
export async function addNodeRunLogs(
  deps: NodeRunDeps,
  caller: Actor,
  id: string,
  lines: readonly NodeRunLogLine[],
): Promise<readonly (LogLine & { readonly at: Date })[]> {
  const actor = await openReport(deps, caller, id);
  const masked = openedFor(actor).mask(lines);
  return deps.unitOfWork(actor, async ({ tx, now }) => {
    await insertLogLines(tx, actor.orgId, id, masked, now);
    return masked.map((line) => ({ ...line, at: now }));
  });
}

/** Steps that wait for something of this organization, which alone ends them. */
const ownWaits: ReadonlySet<string> = new Set(['RUN_ACTION', 'WAIT_FOR_EVENT']);

/**
 * The caller, if they may report on a node run, with its secrets opened for masking: programs of the organization, each
 * for its own installation, and administrators.
 */
async function openReport(deps: NodeRunDeps, caller: Actor, id: string): Promise<Actor> {
  const { nodeRun } = await deps.find(caller, id);
  if (ownWaits.has(nodeRun.type)) {
    throw new AppError('node_run_ended', `The step "${id}" takes no reports: Portolan itself ends it`);
  }
  if (!executesFor(caller, nodeRun.installationId)) throw notFound('Node run', id);
  if (caller.kind === 'person' && !isAdmin(caller)) {
    throw new AppError('missing_permissions', `Only programs that execute the node run "${id}" report on it`);
  }
  const call = await deps.readCall(caller.orgId, id);
  if (!call || !asksForSecrets(call.node.config)) return caller;
  const opened = openedFor(caller);
  const secrets = await deps.secrets.secretsOf(caller.orgId, opened);
  // reading a value opens it
  for (const name of secretsNamed(call.node.config, Object.keys(secrets))) void secrets[name];
  return { ...caller, opened };
}

const foundMax = 100;

/** Node runs of an outside run, for the programs that execute them; none where no run is named. @throws AppError `missing_permissions` */
export async function findNodeRuns(
  deps: NodeRunDeps,
  actor: Actor,
  externalRunId: string | undefined,
  isWithConfig: boolean,
): Promise<OfferedNodeRun[]> {
  assertExecutor(actor);
  if (externalRunId === undefined) return [];
  const found: OfferedNodeRun[] = [];
  for (const id of await listByExternalId(deps.database, actor.orgId, externalRunId, foundMax)) {
    const call = await deps.readCall(actor.orgId, id);
    // executors read a page as a whole, and know only what was offered to one of them
    if (!call || call.nodeRun.installationId === null || !executesFor(actor, call.nodeRun.installationId)) continue;
    const shown = call.nodeRun.input as Readonly<Record<string, unknown>> | null;
    found.push(presentOffer(call, isWithConfig ? (shown ?? {}) : undefined));
  }
  return found;
}

const linesMax = 1_000;

/** The newest lines, oldest first. @throws AppError `not_found` */
export async function getNodeRunLogs(deps: NodeRunDeps, actor: Actor, id: string) {
  const { nodeRun } = await deps.find(actor, id);
  return listLogLines(deps.database, actor.orgId, nodeRun.id, linesMax);
}
