import type {
  UsersAndTeamsChoices,
  UsersAndTeamsProblem,
  UsersAndTeamsStage,
  UsersAndTeamsStatus,
} from '@portolan/contract/users-and-teams';
import type { Actor } from '../../../platform/actor.ts';
import type { DueValues } from '../../derived/maintenance.ts';
import type { OldWriter } from '../../organizations/maintenance.ts';
import type { TeamRelation } from './convert-ownership.store.ts';

/** The actor who started the migration. The model is left out, because it changes during the migration. */
export type AskedBy = Omit<Actor, 'orgId' | 'model'>;

/** State of the work before and after the flip. */
export interface FollowUp {
  readonly preparedSince?: string;
  /** Relations to remove: first converted to teams, later cleared. */
  readonly relations?: readonly TeamRelation[];
  readonly due?: readonly DueValues[];
  /** The model was changed back; the rest of the undo is in progress. */
  readonly isUndone?: boolean;
  /** Position of the job in the lists above. */
  readonly at?: { readonly index: number; readonly afterKey: number };
}

/** One migration of users and teams, from its start to the end of the undo window. */
export interface StoredMigration {
  readonly orgId: string;
  readonly id: string;
  readonly status: Exclude<UsersAndTeamsStatus, 'NOT_STARTED'>;
  readonly stage: UsersAndTeamsStage;
  readonly fromModel: 'legacy' | 'beta';
  readonly actor: AskedBy;
  readonly choices: UsersAndTeamsChoices;
  readonly counts: Readonly<Record<string, number>>;
  readonly blockers: readonly UsersAndTeamsProblem[];
  readonly followUp: FollowUp;
  readonly message: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly flippedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly undoUntil: Date | null;
}

export function isUnderWay({ status }: Pick<StoredMigration, 'status'>): boolean {
  return status === 'PENDING' || status === 'RUNNING';
}

/** Presents the migration for the API, also if there has been none. */
export function presentMigration(
  migration: StoredMigration | undefined,
  model: Actor['model'],
  writers: readonly OldWriter[],
) {
  return {
    migrationId: migration?.id ?? null,
    status: migration?.status ?? ('NOT_STARTED' as const),
    model,
    stage: migration?.stage ?? null,
    counts: { ...migration?.counts },
    blockers: [...(migration?.blockers ?? [])],
    message: migration?.message ?? null,
    createdAt: migration?.createdAt.toISOString() ?? null,
    createdBy: migration?.actor.id ?? null,
    flippedAt: migration?.flippedAt?.toISOString() ?? null,
    finishedAt: migration?.finishedAt?.toISOString() ?? null,
    // an undone migration cannot be undone again
    undoUntil: migration?.status === 'ROLLED_BACK' ? null : (migration?.undoUntil?.toISOString() ?? null),
    oldWriters: writers.map(presentOldWriter),
  };
}

function presentOldWriter({ kind, identifier, firstSeen, lastSeen, by, ...writer }: OldWriter) {
  const isOfBlueprint = kind === 'entity' || kind === 'blueprint-permissions';
  return {
    ...writer,
    by: by === '' ? null : by,
    resource: { kind, identifier },
    blueprint: isOfBlueprint ? identifier : null,
    firstSeen: firstSeen.toISOString(),
    lastSeen: lastSeen.toISOString(),
  };
}

export interface StartedMigration {
  readonly migrationId: string;
  readonly status: StoredMigration['status'];
}
