import type { LiveChange } from '@portolan/contract/live';
import type { Actor } from '../../../platform/actor.ts';

/** What the journal, lowest of the modules, asks of those above it. */
export interface ChangePorts {
  /** Of changes to entities, blueprints and scorecards, those whose things the caller may read. */
  readonly visibleChanges: (actor: Actor, changes: readonly LiveChange[]) => Promise<readonly LiveChange[]>;
  /** Of these runs, those the caller may see. */
  readonly visibleRuns: (actor: Actor, ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

const ofBlueprints = new Set(['entity', 'blueprint', 'scorecard', 'migration']);
/** Everybody has lists of them; which of them somebody may read is found out by reading. */
const byKindAlone = new Set(['action', 'page', 'team', 'user', 'organization']);

/**
 * What somebody who is not an administrator is told: things they may read by name, lists that everybody has by kind, and
 * nothing of the rest.
 */
export async function readableChanges(
  { visibleChanges, visibleRuns }: ChangePorts,
  actor: Actor,
  changes: readonly LiveChange[],
): Promise<LiveChange[]> {
  const inCatalog = changes.filter(({ resource }) => ofBlueprints.has(resource));
  const runs = changes.filter(({ resource, identifier }) => resource === 'run' && identifier !== undefined);
  const seen =
    runs.length === 0
      ? new Set<string>()
      : await visibleRuns(actor, [...new Set(runs.map(({ identifier = '' }) => identifier))]);
  const kinds = new Map(
    changes
      .filter(({ resource }) => byKindAlone.has(resource))
      .map(({ event, resource }) => [event, { event, resource }] as const),
  );
  return [
    ...(inCatalog.length === 0 ? [] : await visibleChanges(actor, inCatalog)),
    // the run names an entity that may be hidden; the run itself leads to what the reader may see of it
    ...runs
      .filter(({ identifier = '' }) => seen.has(identifier))
      .map(({ event, resource, identifier = '' }) => ({ event, resource, identifier })),
    ...kinds.values(),
  ];
}
