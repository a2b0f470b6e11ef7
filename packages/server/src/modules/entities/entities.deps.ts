import type { EntityChangeBody } from '@portolan/contract/entities';
import type { Actor } from '../../platform/actor.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Reader } from '../../platform/db/database.ts';
import type { AppError } from '../../platform/errors.ts';
import type { UnitOfWork, Work } from '../../platform/unit-of-work.ts';
import type { BlueprintListener, CheckProperties, StoredBlueprint } from '../blueprints/index.ts';
import type { Slot } from '../entity-query/index.ts';
import type { RecordFailures } from '../journal/index.ts';

/** A body with sentences for the `Warning` header. */
export interface RewrittenBody<Body> {
  readonly body: Body;
  readonly warnings: readonly string[];
}

export interface CatalogDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly unitOfWork: UnitOfWork;
  readonly checkProperties: CheckProperties;
  /** Called when writing scorecards changes the blueprint of results. */
  readonly listener: BlueprintListener;
  /** Domains for addresses of service accounts. */
  readonly accountDomains: () => readonly string[];
  /** Records refused writes of machines in the audit log. */
  readonly recordFailures: RecordFailures;
  /** Refuses a write for a run (`run_id`) that is not in progress. @throws AppError `run_ended` */
  readonly assertRun: (work: Work) => Promise<void>;
  /** Authors of the texts that led to the run for which something is written. */
  readonly findCarriedAuthors: (work: Work) => Promise<readonly string[]>;
  /** Translates bodies written for an older model of the organization. */
  readonly rewriteBodies: <Body extends Pick<EntityChangeBody, 'relations' | 'team'>>(
    work: Work,
    blueprint: StoredBlueprint,
    bodies: readonly Body[],
  ) => Promise<RewrittenBody<Body>[]>;
  /** How many days the journal is kept, which is how far back the past can be asked for. */
  readonly historyDays?: number | undefined;
  /** Called for values that searches compare and sort by, for indexes that follow use. */
  readonly noteUse?: ((orgId: string, blueprintKey: number, slot: Slot) => void) | undefined;
  /** Called before entities are deleted by name, with their number; an error refuses, and what it wrote is kept. */
  readonly guardDeletions?: ((work: Work, count: number) => Promise<AppError | undefined>) | undefined;
  /** Writes warnings to the log of the acting integration, if any. */
  readonly logForSource?: ((work: Work, messages: readonly string[]) => Promise<void>) | undefined;
  /** Whether the caller is an integration in a resync that it reported. */
  readonly isWeighingStale?: ((reader: Reader, actor: Actor) => Promise<boolean>) | undefined;
}
