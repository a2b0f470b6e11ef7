import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Database, Reader, Tx } from '../db/database.ts';
import { defineJob, type JobDeclaration } from './job.ts';

export interface RetentionPorts {
  readonly database: Database;
  readonly clock: Clock;
}

export interface Retention {
  /** `module.verb-noun`, unique. */
  readonly name: string;
  readonly keptDays: number;
  /** Rows per transaction. */
  readonly batchSize: number;
  /** Organizations that hold anything older than the moment. */
  organizations(reader: Reader, before: Date): Promise<readonly string[]>;
  /** Removes the oldest rows of one organization and returns how many; fewer than `batchSize` means done. */
  removeBatch(tx: Tx, orgId: string, before: Date): Promise<number>;
}

const dayMs = 24 * 60 * 60_000;

/** Removes what is past its retention from all organizations hourly, in small transactions. */
export function retentionJob({ database, clock }: RetentionPorts, retention: Retention): JobDeclaration {
  return defineJob({
    name: retention.name,
    input: z.object({}),
    attempts: 3,
    timeoutMs: 30 * 60_000,
    everyMs: 60 * 60_000,
    // harmless twice: removing again finds nothing
    run: async (_input, { each }) => {
      const before = new Date(clock.now().getTime() - retention.keptDays * dayMs);
      const organizations = await retention.organizations(database, before);
      const owned = organizations.map((orgId) => ({ orgId }));
      await each(owned, async ({ orgId }, signal) => {
        let removed = retention.batchSize;
        while (removed === retention.batchSize) {
          signal.throwIfAborted();
          removed = await database.transaction((tx) => retention.removeBatch(tx, orgId, before));
        }
      });
    },
  });
}
