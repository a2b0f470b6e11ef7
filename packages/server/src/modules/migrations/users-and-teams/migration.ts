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

/** Who asked for it; the model of the organization is read anew when it runs. */
export type AskedBy = Omit<Actor, 'orgId' | 'model'>;

/** What is left to do, before and after the model changes. */
export interface FollowUp {
  /** When teams began to be taken over from relations. */
  readonly preparedSince?: string;
  /** Relations that go: those teams are taken over from, and later those that are cleared. */
  readonly relations?: readonly TeamRelation[];
  readonly due?: readonly DueValues[];
  /** The model was changed back, and this is what is left of that. */
  readonly isUndone?: boolean;
  /** Where in the lists the job is. */
  readonly at?: { readonly index: number; readonly afterKey: number };
}

/** One run of the migration of users and teams, from its trigger to the end of what can be undone. */
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

/** The migration as it is answered; undefined where there has been none. */
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
    // what was undone is not undone again
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

/** Where the migration stands, as its trigger answers. */
export interface StartedMigration {
  readonly migrationId: string;
  readonly status: StoredMigration['status'];
}
