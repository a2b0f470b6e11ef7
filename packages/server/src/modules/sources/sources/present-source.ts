import type { Source, SourceState, SourceSync } from '@portolan/contract/sources';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import type { StoredSync } from '../ingest/sync.ts';
import type { StoredSource } from './source.ts';
import { mayWriteSource } from './source-rights.ts';

export function presentSync(sync: StoredSync): SourceSync {
  const { waiting: _waiting, ...counts } = sync.counts;
  return {
    id: sync.id,
    mode: sync.isPlan ? 'plan' : sync.mode,
    status: sync.status === 'open' ? 'running' : sync.status === 'undone' ? 'cancelled' : sync.status,
    startedAt: sync.startedAt.toISOString(),
    endedAt: sync.endedAt?.toISOString() ?? null,
    counts,
    note: sync.note,
    problem: sync.problem,
  };
}

export interface SourceSurroundings {
  readonly last: StoredSync | undefined;
  readonly entities: Readonly<Record<string, number>>;
  readonly now: Date;
  readonly publicUrl: string;
}

export function presentSource(
  source: StoredSource,
  actor: Actor,
  { last, entities, now, publicUrl }: SourceSurroundings,
): Source {
  const { secrets, webhook } = source;
  return {
    identifier: source.identifier,
    type: source.type,
    title: source.title,
    settings: source.settings as Source['settings'],
    secrets: Object.fromEntries(
      Object.entries(secrets).map(([name, { setAt, lastFour }]) => [name, { setAt, lastFour }]),
    ),
    deletion: source.deletion,
    scheduleMinutes: source.scheduleMinutes,
    isPaused: source.isPaused,
    state: toState(source, last, now),
    problem: source.problem,
    mapping: { resources: source.mapping as Source['mapping']['resources'] },
    nextSyncAt: source.nextSyncAt?.toISOString() ?? null,
    lastSync: last ? presentSync(last) : null,
    entities: { ...entities },
    webhook:
      webhook && isAdmin(actor)
        ? { url: `${publicUrl}/v1/source-events/${source.webhookKey}`, verifiedAt: webhook.verifiedAt }
        : null,
    allowed: { write: mayWriteSource(actor, source) },
    createdAt: source.createdAt.toISOString(),
    createdBy: source.createdBy,
    updatedAt: source.updatedAt.toISOString(),
    updatedBy: source.updatedBy,
  };
}

function toState(
  { isPaused, problem, scheduleMinutes }: StoredSource,
  last: StoredSync | undefined,
  now: Date,
): SourceState {
  if (problem) return 'failing';
  if (isPaused) return 'paused';
  if (!last) return 'waiting';
  if (last.status === 'failed' || last.status === 'incomplete') return 'failing';
  const ageMs = now.getTime() - (last.endedAt ?? last.touchedAt).getTime();
  return scheduleMinutes !== null && ageMs > 1.5 * scheduleMinutes * 60_000 + 60_000 ? 'late' : 'live';
}
