import type { LiveChange } from '@portolan/contract/live';
import type { Actor } from '../../../platform/actor.ts';

/** Implemented by modules above the journal. */
export interface ChangePorts {
  /** Changes of entities, blueprints and scorecards that the caller may read. */
  readonly visibleChanges: (actor: Actor, changes: readonly LiveChange[]) => Promise<readonly LiveChange[]>;
  /** Of runs of actions and of workflows. */
  readonly visibleRuns: readonly ((actor: Actor, ids: readonly string[]) => Promise<ReadonlySet<string>>)[];
  /** What was announced without a record and concerns the caller. */
  readonly announcedSince: (actor: Actor, since: Date) => Promise<readonly LiveChange[]>;
}

const ofBlueprints = new Set(['entity', 'blueprint', 'scorecard', 'migration']);
/** Their lists are visible to everyone; reading them applies rights. */
const byKindAlone = new Set(['action', 'workflow', 'page', 'team', 'user', 'organization', 'campaign', 'exemption']);

/** For non-administrators: readable things by name, shared lists by kind only, nothing else. */
export async function readableChanges(
  { visibleChanges, visibleRuns }: ChangePorts,
  actor: Actor,
  changes: readonly LiveChange[],
): Promise<LiveChange[]> {
  const inCatalog = changes.filter(({ resource }) => ofBlueprints.has(resource));
  const runs = changes.filter(
    ({ resource, identifier }) => (resource === 'run' || resource === 'workflowRun') && identifier !== undefined,
  );
  const ids = [...new Set(runs.map(({ identifier = '' }) => identifier))];
  const seen = new Set<string>();
  for (const visible of ids.length === 0 ? [] : visibleRuns) for (const id of await visible(actor, ids)) seen.add(id);
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
    ...changes.filter(({ resource }) => resource === 'notice'),
    ...kinds.values(),
  ];
}

/** Without what others were told, which is nobody else's business. */
export function withoutNoticesOfOthers({ id }: Actor, changes: readonly LiveChange[]): readonly LiveChange[] {
  return changes.filter(({ resource, identifier = id }) => resource !== 'notice' || identifier === id);
}
