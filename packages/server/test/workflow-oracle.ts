import sql from 'sql-template-tag';
import type { Database } from '../src/platform/db/database.ts';
import type { Definition } from './random-workflows.ts';
import type { Node } from './workflow-world.ts';

interface RunRow {
  readonly id: string;
  readonly status: string;
  readonly result: string | null;
  readonly cancel: string | null;
  readonly endsAs: string | null;
  readonly compensates: string | null;
  /** How often somebody had its failed compensations carried out again. */
  readonly repeats: number;
  readonly parentRun: string | null;
  readonly parentNodeRun: string | null;
  readonly workflow: string;
  readonly body: readonly string[] | null;
  readonly rev: number;
}

interface StepRow {
  readonly id: string;
  readonly run: string;
  readonly step: number;
  readonly node: string;
  readonly type: string;
  readonly phase: string;
  readonly result: string | null;
  readonly outlet: string | null;
  /** What it undoes, or tried to undo before another attempt took its place. */
  readonly compensates: string | null;
  readonly isGivenUp: boolean;
  readonly attempt: number;
  readonly presses: number;
}

export interface Effects {
  /** How often the effect of a node run was committed here, or sent to others, by its id. */
  readonly written: ReadonlyMap<string, number>;
  readonly sent: ReadonlyMap<string, number>;
}

/** Reads what came of a run and of all runs below it. */
export async function readFamily(database: Database, orgId: string, rootId: string) {
  const runs = await database.rows<RunRow>(sql`
    select r.id, r.status, r.result, r.cancel, r.ends_as as "endsAs",
      coalesce(r.compensates, r.failed_to_compensate) as compensates, r.parent_run as "parentRun",
      r.parent_node_run as "parentNodeRun", r.workflow_identifier as workflow, r.body, r.rev,
      (select count(*)::int from workflow_run_events e
        where e.org_id = r.org_id and e.run_id = r.id and e.kind = 'compensation.again') as repeats
    from workflow_runs r where r.org_id = ${orgId} and r.root_id = ${rootId}`);
  const steps = await database.rows<StepRow>(sql`
    select n.id, n.run_id as run, n.step, n.node, n.type, n.phase, n.result, n.outlet,
      coalesce(n.compensates, n.failed_to_compensate) as compensates,
      n.failed_to_compensate is not null as "isGivenUp", n.attempt,
      (select count(*)::int from workflow_responses p
        where p.org_id = n.org_id and p.node_run_id = n.id and p.button = 'yes') as presses
    from workflow_node_runs n join workflow_runs r on r.org_id = n.org_id and r.id = n.run_id
    where r.org_id = ${orgId} and r.root_id = ${rootId} order by n.step`);
  return { runs, steps };
}

type Family = Awaited<ReturnType<typeof readFamily>>;

/**
 * What is wrong with a family of runs that has come to rest, judged by its rows and by what was done: written apart from
 * the engine, by what its authors were promised.
 */
export function judge(
  { runs, steps }: Family,
  definitions: Readonly<Record<string, Definition>>,
  { written, sent }: Effects,
): string[] {
  const faults: string[] = [];
  const byId = new Map(runs.map((run) => [run.id, run]));
  const stepById = new Map(steps.map((step) => [step.id, step]));
  const stepsIn = (run: RunRow) => steps.filter((step) => step.run === run.id);
  const say = (run: RunRow, words: string) => faults.push(`${run.id} (${run.result}): ${words}`);

  const graphOf = (run: RunRow): Definition => {
    let graph = definitions[run.workflow] as Definition;
    const way = [...(run.body ?? [])];
    while (way.length > 0) {
      const node = graph.nodes.find((each) => each['identifier'] === way[0]) as Node;
      const config = node['config'] as { body?: Definition; branches?: Record<string, Definition> };
      way.shift();
      graph = config.body ?? ((config.branches as Record<string, Definition>)[way.shift() as string] as Definition);
    }
    return graph;
  };
  const nodeOf = (step: StepRow): Node =>
    graphOf(byId.get(step.run) as RunRow).nodes.find((each) => each['identifier'] === step.node) as Node;
  const isForced = (run: RunRow): boolean => {
    if (run.cancel === 'force') return true;
    const above = run.parentRun === null ? undefined : byId.get(run.parentRun);
    return above !== undefined && isForced(above);
  };

  /** The questions in a row before a step, all of which must have been answered with yes. */
  const isApproved = (run: RunRow, node: string): boolean => {
    const { nodes } = graphOf(run);
    const names = nodes.map((each) => each['identifier']);
    const asked = nodes.slice(0, names.indexOf(node)).filter(({ identifier }) => String(identifier).startsWith('ask'));
    const own = stepsIn(byId.get(run.compensates ?? '') ?? run);
    const isYes = asked.every(({ identifier }) =>
      own.some((step) => step.node === identifier && step.outlet === 'yes' && step.presses > 0),
    );
    const above = run.parentNodeRun === null ? undefined : stepById.get(run.parentNodeRun);
    return isYes && (above === undefined || isApprovedStep(above));
  };
  const isApprovedStep = (step: StepRow): boolean => {
    // what undoes a step stands behind what stood before that
    const judged = step.compensates === null ? step : (stepById.get(step.compensates) as StepRow);
    return isApproved(byId.get(judged.run) as RunRow, judged.node);
  };

  for (const run of runs) {
    if (run.status !== 'COMPLETED') say(run, `stands still as ${run.status}`);
    const own = stepsIn(run);
    if (own.some(({ phase }) => phase !== 'ENDED')) say(run, 'has an open step');
    for (const step of own) {
      const times = (written.get(step.id) ?? 0) + (sent.has(step.id) ? 1 : 0);
      if ((written.get(step.id) ?? 0) > 1) say(run, `wrote twice at ${step.node}`);
      if (times > 0 && !isApprovedStep(step)) say(run, `acted unasked at ${step.node}`);
      const acts = step.type === 'UPSERT_ENTITY' || step.type === 'WEBHOOK';
      if (acts && step.result === 'SUCCESS' && times === 0) say(run, `lost the effect of ${step.node}`);
      if (step.type === 'UPSERT_ENTITY' && step.result !== 'SUCCESS' && times > 0)
        say(run, `wrote at ${step.node}, which failed`);
    }
    const undoing = own.filter(({ compensates }) => compensates !== null);
    if (undoing.length > 0 && run.endsAs === null) say(run, 'undid something though it went forward');
    const undone = undoing.map(({ compensates }) => stepById.get(compensates as string)?.step ?? 0);
    // the last first; each time that somebody asks for it again, from the end once more
    const turns = undone.filter((step, index) => step >= (undone[index - 1] ?? Number.POSITIVE_INFINITY)).length;
    if (turns > run.repeats) say(run, 'undid in another order');
    const standing = undoing.filter(({ isGivenUp }) => !isGivenUp).map(({ compensates }) => compensates);
    if (new Set(standing).size < standing.length) say(run, 'undid a step twice');
    if (undoing.some(({ isGivenUp, result }) => isGivenUp && result === 'SUCCESS'))
      say(run, 'undid again what was undone');
    const goesBack = run.compensates !== null || (run.result !== 'SUCCESS' && run.status === 'COMPLETED');
    if (!goesBack && undoing.length > 0) say(run, 'undid something and succeeded');
    if (!goesBack || isForced(run)) continue;
    const source = byId.get(run.compensates ?? '') ?? run;
    for (const step of stepsIn(source).filter(({ compensates }) => compensates === null)) {
      const by = steps.find(({ compensates, isGivenUp }) => compensates === step.id && !isGivenUp);
      if (step.result === 'SUCCESS' && typeof nodeOf(step)['compensatedBy'] === 'string') {
        if (!by) say(run, `left the effect of ${step.node}`);
        continue;
      }
      const begun = runs.filter(
        (each) => each.parentNodeRun === step.id && each.body !== null && each.result === 'SUCCESS',
      );
      for (const child of begun) {
        const isOwed = graphOf(child).nodes.some((node) => mayHaveToUndo(node));
        if (isOwed && !runs.some(({ compensates }) => compensates === child.id))
          say(child, 'was not undone with its parent');
      }
    }
  }
  return faults;
}

/** A run of the family that may be asked to compensate again: one that goes by itself failed to undo something. */
export function findRepeatable({ runs, steps }: Family): string | undefined {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const isCutOff = (run: RunRow): boolean => {
    const above = run.parentRun === null ? undefined : byId.get(run.parentRun);
    return run.cancel === 'force' || (above !== undefined && isCutOff(above));
  };
  return runs.find(
    (run) =>
      run.endsAs !== null &&
      run.compensates === null &&
      !isCutOff(run) &&
      steps.some(
        (step) => step.run === run.id && step.compensates !== null && !step.isGivenUp && step.result !== 'SUCCESS',
      ),
  )?.id;
}

function mayHaveToUndo(node: Node): boolean {
  if (typeof node['compensatedBy'] === 'string') return true;
  const { body, branches = {} } = node['config'] as { body?: Definition; branches?: Record<string, Definition> };
  return [...(body ? [body] : []), ...Object.values(branches)].some(({ nodes }) => nodes.some(mayHaveToUndo));
}
