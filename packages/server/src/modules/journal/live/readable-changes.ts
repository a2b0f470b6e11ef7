import type { LiveChange } from '@portolan/contract/live';
import type { Actor } from '../../../platform/actor.ts';

/** Implemented by modules above the journal. */
export interface ChangePorts {
  /** Changes of entities, blueprints and scorecards that the caller may read. */
  readonly visibleChanges: (actor: Actor, changes: readonly LiveChange[]) => Promise<readonly LiveChange[]>;
  readonly visibleRuns: (actor: Actor, ids: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly visibleWorkflowRuns: (actor: Actor, ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

const ofBlueprints = new Set(['entity', 'blueprint', 'scorecard', 'migration']);
/** Their lists are visible to everyone; reading them applies rights. */
const byKindAlone = new Set(['action', 'page', 'team', 'user', 'organization', 'campaign', 'exemption', 'workflow']);

/** For non-administrators: readable things by name, shared lists by kind only, nothing else. */
export async function readableChanges(
  { visibleChanges, visibleRuns, visibleWorkflowRuns }: ChangePorts,
  actor: Actor,
  changes: readonly LiveChange[],
): Promise<LiveChange[]> {
  const inCatalog = changes.filter(({ resource }) => ofBlueprints.has(resource));
  const named = (kind: string) =>
    changes.filter(({ resource, identifier }) => resource === kind && identifier !== undefined);
  const listIds = (runs: readonly LiveChange[]) => [...new Set(runs.map(({ identifier = '' }) => identifier))];
  const [ofActions, ofWorkflows] = [named('run'), named('workflowRun')];
  const runs = [...ofActions, ...ofWorkflows];
  const seen = new Set([
    ...(ofActions.length === 0 ? [] : await visibleRuns(actor, listIds(ofActions))),
    ...(ofWorkflows.length === 0 ? [] : await visibleWorkflowRuns(actor, listIds(ofWorkflows))),
  ]);
  const kinds = new Map(
    changes
      .filter(({ resource }) => byKindAlone.has(resource))
      .map(({ event, resource }) => [event, { event, resource }] as const),
  );
  return [
    ...(inCatalog.length === 0 ? [] : await visibleChanges(actor, inCatalog)),
    // a run may name a hidden entity, so the change keeps only the run
    ...runs
      .filter(({ identifier = '' }) => seen.has(identifier))
      .map(({ event, resource, identifier = '' }) => ({ event, resource, identifier })),
    ...kinds.values(),
  ];
}
