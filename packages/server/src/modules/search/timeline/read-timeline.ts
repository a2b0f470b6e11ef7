import { readOutcome } from '@portolan/contract/entity-facts';
import { type TimelineEvent, timelineDaysMax, timelineEventsMax } from '@portolan/contract/entity-timeline';
import { scopesCover } from '@portolan/contract/scopes';
import type { Actor } from '../../../platform/actor.ts';
import { invalidRequest } from '../../../platform/errors.ts';
import { teamNames } from '../../accounts/index.ts';
import { listBlueprintRows } from '../../blueprints/index.ts';
import { getEntity, type ReadDeps } from '../../entities/index.ts';
import { listRecordsOfEntity } from '../../journal/index.ts';
import { type DependencyChanges, readDependencyChanges } from './dependency-changes.ts';
import { describeRecords, teamsChangedIn } from './describe-record.ts';
import { relatedEvents } from './related-events.ts';

interface Window {
  readonly from: Date;
  readonly to: Date;
  readonly limit: number;
}

export interface TimelineDeps extends ReadDeps {
  /** Runs of actions on an entity that the caller may see, newest first; implemented by `actions`. */
  readonly runsOnEntity: (
    actor: Actor,
    asked: Window & { readonly blueprint: string; readonly entity: string },
  ) => Promise<
    readonly {
      readonly id: string;
      readonly at: Date;
      readonly title: string;
      readonly status: string;
      readonly by: string | undefined;
    }[]
  >;
}

export interface Timeline {
  readonly events: TimelineEvent[];
  readonly truncated: boolean;
  readonly dependencies?: DependencyChanges;
}

const day = 24 * 60 * 60 * 1000;
const daysByDefault = 30;

/**
 * What happened to an entity, newest first: its changes, runs on it, and related deployments and incidents. Tokens
 * without the scope for the audit log or for runs get none of them.
 * @throws AppError `not_found`, `invalid_request`
 */
export async function readTimeline(
  deps: TimelineDeps,
  actor: Actor,
  blueprintIdentifier: string,
  identifier: string,
  asked: {
    readonly from?: Date | undefined;
    readonly to?: Date | undefined;
    readonly include?: 'dependencies' | undefined;
  },
): Promise<Timeline> {
  const { blueprint, entity } = await getEntity(deps, actor, blueprintIdentifier, identifier);
  const { from, to } = boundsOf(asked, deps.clock.now());
  const window: Window = { from, to, limit: timelineEventsMax + 1 };
  const named = { blueprint: blueprint.identifier, entity: entity.identifier };
  // a run on an earlier entity of the same name is not about this one
  const since = new Date(Math.max(from.getTime(), entity.createdAt.getTime()));
  const all = await listBlueprintRows(deps.database, actor.orgId);
  const own = { blueprints: new Set([blueprint.identifier]), keys: [entity.key] };
  const [records, runs, related, dependencies] = await Promise.all([
    scopesCover(actor.scopes, 'read:audit-log')
      ? listRecordsOfEntity(deps.database, actor.orgId, { ...named, ...window, since: entity.createdAt })
      : [],
    scopesCover(actor.scopes, 'read:runs') ? deps.runsOnEntity(actor, { ...named, ...window, from: since }) : [],
    relatedEvents(deps, actor, own, window, all),
    asked.include && readDependencyChanges(deps, actor, { blueprint, key: entity.key }, { from, to }, all),
  ]);
  const names = await teamNames(deps.database, actor.orgId, actor.model, teamsChangedIn(records), 'title');
  const ofRuns = runs.map(({ id, at, title, status, by }): TimelineEvent => {
    const outcome = readOutcome(status);
    return {
      at: at.toISOString(),
      kind: 'run',
      title,
      ...(outcome ? { outcome } : {}),
      ...(by === undefined ? {} : { by }),
      run: id,
    };
  });
  const events = [...describeRecords(records, blueprint, names), ...ofRuns, ...related.map(({ event }) => event)].sort(
    (one, other) => Date.parse(other.at) - Date.parse(one.at),
  );
  const isCut = [records, runs, related].some(({ length }) => length > timelineEventsMax);
  return {
    events: events.slice(0, timelineEventsMax),
    truncated: isCut || events.length > timelineEventsMax,
    ...(dependencies ? { dependencies: withoutOwn(dependencies, events) } : {}),
  };
}

/** An incident of both stands among those of the entity itself. */
function withoutOwn(dependencies: DependencyChanges, events: readonly TimelineEvent[]): DependencyChanges {
  const nameOf = ({ entity }: TimelineEvent) => entity && JSON.stringify([entity.blueprint, entity.identifier]);
  const own = new Set(events.map(nameOf));
  return { ...dependencies, events: dependencies.events.filter((event) => !event.entity || !own.has(nameOf(event))) };
}

function boundsOf(
  asked: { readonly from?: Date | undefined; readonly to?: Date | undefined },
  now: Date,
): { readonly from: Date; readonly to: Date } {
  const to = asked.to ?? now;
  const from = asked.from ?? new Date(to.getTime() - daysByDefault * day);
  // the contract compares what is sent; without `to`, the end is known only here
  if (to.getTime() - from.getTime() > timelineDaysMax * day) {
    throw invalidRequest([{ path: '{query}/from', message: `must be at most ${timelineDaysMax} days before the end` }]);
  }
  return { from, to };
}
