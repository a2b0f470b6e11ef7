import type { RunStatus } from '@portolan/contract/action-runs';
import type { Actor } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { listRuns } from './read-runs.ts';

export interface RunOnEntity {
  readonly id: string;
  readonly at: Date;
  /** The action's title when it was run. */
  readonly title: string;
  readonly status: RunStatus;
  /** Address of the person who asked for it. */
  readonly by: string | undefined;
}

interface Asked {
  readonly blueprint: string;
  readonly entity: string;
  readonly from: Date;
  readonly to: Date;
  readonly limit: number;
}

/** Runs of actions on an entity that the caller may see, newest first. */
export async function listRunsOnEntity(reader: Reader, actor: Actor, asked: Asked): Promise<RunOnEntity[]> {
  const runs = await listRuns(reader, actor, asked);
  return runs.map(({ id, createdAt, action, actionIdentifier, status, createdBy, createdByKind }) => ({
    id,
    at: createdAt,
    title: action.definition.title || actionIdentifier,
    status,
    by: createdByKind === 'person' ? createdBy : undefined,
  }));
}
