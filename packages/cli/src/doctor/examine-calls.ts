import { listRuns } from '@portolan/contract/action-runs';
import type { Client } from '@portolan/contract/client';
import type { OperationAnswer } from '@portolan/contract/operation';
import { listStandingApprovals, type StandingApproval } from '@portolan/contract/standing-approvals';

type Run = OperationAnswer<typeof listRuns>['runs'][number];

export interface CallsExamined {
  readonly holding: readonly StandingApproval[];
  /** Runs that an assistant's call began at once. */
  readonly executed: number;
  /** What should not have run, in words. */
  readonly broken: readonly string[];
}

const runsMax = 1000;
const hourMs = 3_600_000;
/** Moments are those at which transactions began. */
const slackMs = 5_000;
const allowing = new Set(['standing', 'asked-for', 'open', 'authority', 'nothing-read']);

/** Decides again, from what is stored, whether the newest runs of assistants were allowed to begin at once. */
export async function examineCalls(client: Client): Promise<CallsExamined> {
  const { approvals } = await client.call(listStandingApprovals, { query: {} });
  const { runs } = await client.call(listRuns, { query: { limit: runsMax } });
  const executed = runs.filter(({ decision }) => decision?.result === 'execute' && !decision.observed);
  const byId = new Map(approvals.map((approval) => [approval.id, approval]));
  const broken = executed.flatMap((run) => {
    const because = findFault(run, byId, executed);
    return because === undefined ? [] : [`${run.id} ${because}`];
  });
  return { holding: approvals.filter(({ state }) => state === 'active'), executed: executed.length, broken };
}

function findFault(
  run: Run,
  approvals: ReadonlyMap<string, StandingApproval>,
  executed: readonly Run[],
): string | undefined {
  const { rule = '', label = [], standing } = run.decision ?? {};
  if (!allowing.has(rule)) return `ran by the rule "${rule}", which lets nothing run`;
  const isByReaders = rule === 'authority' || rule === 'nothing-read';
  if (isByReaders && (label.includes('outside') || label.includes('*'))) return 'ran although text of anybody was read';
  if (rule !== 'standing') return undefined;
  const approval = standing && approvals.get(standing.id);
  // older ones are not listed
  if (!approval) return standing ? undefined : 'names no standing approval';
  return findExcess(run, approval, executed);
}

function findExcess(run: Run, approval: StandingApproval, executed: readonly Run[]): string | undefined {
  const name = `the standing approval ${approval.id}`;
  const at = Date.parse(run.createdAt ?? '');
  if (run.invocation?.agent !== approval.agent) return `ran for another agent than ${name}`;
  if (at < Date.parse(approval.givenAt) - slackMs || at > Date.parse(approval.expiresAt) + slackMs)
    return `ran outside the time of ${name}`;
  if (approval.revokedAt !== null && at > Date.parse(approval.revokedAt) + slackMs)
    return `ran after ${name} was revoked`;
  const { entity, inputs, maxPerHour } = approval;
  const on = typeof run.entity === 'string' ? run.entity : run.entity?.identifier;
  if (Array.isArray(entity) && !entity.includes(on ?? '')) return `ran on an entity that ${name} does not name`;
  for (const [key, shape] of Object.entries(inputs)) {
    const value = run.properties?.[key];
    const isDefault = run.decision?.origins[key]?.from === 'default';
    if (typeof shape === 'object' && !isDefault && JSON.stringify(value) !== JSON.stringify(shape.const))
      return `ran with another ${key} than ${name} names`;
  }
  const within = executed.filter(({ decision, createdAt }) => {
    const other = Date.parse(createdAt ?? '');
    return decision?.standing?.id === approval.id && other > at - hourMs && other <= at;
  });
  return within.length > maxPerHour ? `was one more in an hour than ${name} allows` : undefined;
}
