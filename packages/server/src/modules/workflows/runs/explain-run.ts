import type { NodeRunAnswer, WorkflowRunAnswer } from '@portolan/contract/workflow-runs';

const linesMax = 30;
const lineCharactersMax = 300;
/** Steps shown from the beginning, where there are too many; the rest is from the end, where it stopped. */
const firstShown = 6;

/** What happened in a run, and why it is where it is: at most thirty lines, from the records of the run alone. */
export function explainRun(run: WorkflowRunAnswer): string[] {
  const head = [
    `Run ${run.identifier} of "${run.workflow.title ?? run.workflow.identifier}" (${run.workflow.identifier}, version ${run.workflow.version}): ${stateOf(run)}`,
    startOf(run),
    ...whyOf(run),
  ].map(short);
  const steps = run.nodeRuns.map((each) => short(stepLine(each)));
  const room = linesMax - head.length;
  if (steps.length <= room) return [...head, ...steps];
  const last = room - firstShown - 1;
  const between = steps.length - firstShown - last;
  return [...head, ...steps.slice(0, firstShown), `… ${between} more steps …`, ...steps.slice(-last)];
}

function stateOf({ status, result, createdAt, completedAt }: WorkflowRunAnswer): string {
  if (status !== 'COMPLETED') return status === 'CANCELLING' ? 'being cancelled' : 'in progress';
  return `${result} after ${spanBetween(createdAt, completedAt)}`;
}

function startOf({ trigger, createdAt, parent, rerunOf }: WorkflowRunAnswer): string {
  const cause = trigger.causedBy === null ? '' : `, caused by ${trigger.causedBy}`;
  const parentRun = parent === null ? '' : `, as a part of the run ${parent.run}`;
  const again = rerunOf === null ? '' : `, again after the run ${rerunOf}`;
  return `Started ${createdAt} by ${trigger.by.id} through ${trigger.identifier} (${trigger.type})${cause}${parentRun}${again}`;
}

/** Why it stopped, or what it waits for. */
function whyOf(run: WorkflowRunAnswer): string[] {
  if (run.cancelledBy !== null) return [`Cancelled by ${run.cancelledBy}`];
  const failed = run.nodeRuns.findLast(({ result }) => result === 'FAILED');
  if (run.status === 'COMPLETED') {
    if (run.result === 'SUCCESS') return [run.message ?? 'It came to its end'];
    const at = failed ? `It stopped at ${failed.node.identifier}: ` : 'It stopped: ';
    return [at + (run.message ?? failed?.message ?? 'no reason was recorded')];
  }
  const current = run.nodeRuns.findLast(({ status }) => status !== 'COMPLETED');
  return current ? [`It is at ${current.node.identifier}: ${waitOf(current)}`] : ['Its next step has not begun yet'];
}

function waitOf({ waitingFor, responders, children, message, dueAt, installationId, tries }: NodeRunAnswer): string {
  const until = dueAt === null ? '' : `, until ${dueAt}`;
  switch (waitingFor) {
    case 'response': {
      const { users = [], roles = [], teams = [], buttons = [] } = responders ?? {};
      const who = [...users, ...roles, ...teams].join(', ') || 'administrators';
      const given = buttons.map(({ identifier, needed, given: had }) => `${identifier} ${had} of ${needed}`).join(', ');
      return `waits for an answer of ${who} (${given})${until}`;
    }
    case 'child':
      return `waits for runs that it began: ${children?.completed ?? 0} of ${children?.total ?? 0} have ended, ${children?.failed ?? 0} of them failed`;
    case 'report':
      return `waits for a report${installationId === null ? '' : ` of the installation ${installationId}`}${until}`;
    case 'time':
      return `waits${tries > 1 ? ` for its try number ${tries + 1}` : ''}${until}`;
    case 'event':
      return `waits for an event${until}`;
    case 'action':
      return message ?? `waits for the run of an action${until}`;
    default:
      return message ?? 'is being carried out';
  }
}

function stepLine(each: NodeRunAnswer): string {
  const { step, node, nodeConfigType, status, result, outlet, reused, tries, message, createdAt, completedAt } = each;
  const facts = [
    status === 'COMPLETED' ? `${result}` : 'in progress',
    ...(outlet === null ? [] : [`→ ${outlet}`]),
    ...(reused ? ['taken over from the earlier run'] : []),
    ...(tries > 1 ? [`${tries} tries`] : []),
    ...(status === 'COMPLETED' && !reused ? [spanBetween(createdAt, completedAt)] : []),
    ...(each.responses ?? []).map(
      ({ submitterInfo, buttonIdentifier }) => `${submitterInfo.submittedBy} pressed ${buttonIdentifier}`,
    ),
  ];
  return `${step}. ${node.identifier} (${nodeConfigType}): ${facts.join(', ')}${message === null ? '' : `: ${message}`}`;
}

function spanBetween(from: string, to: string | null): string {
  const seconds = to === null ? 0 : (Date.parse(to) - Date.parse(from)) / 1_000;
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

/** One line, whatever texts of others are in it. */
function short(text: string): string {
  const flat = text.replace(/\s+/gu, ' ').trim();
  return flat.length <= lineCharactersMax ? flat : `${flat.slice(0, lineCharactersMax - 1)}…`;
}
