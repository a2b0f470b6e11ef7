import type { EntityChangeBody } from '@portolan/contract';
import type { Actor } from '../../platform/actor.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Reader } from '../../platform/db/database.ts';
import type { AppError } from '../../platform/errors.ts';
import type { UnitOfWork, Work } from '../../platform/unit-of-work.ts';
import type { BlueprintKeeper, CheckProperties, StoredBlueprint } from '../blueprints/index.ts';
import type { Slot } from '../entity-query/index.ts';
import type { RecordFailures } from '../journal/index.ts';

/** A body as it is written, and sentences for the `Warning` header. */
export interface RewrittenBody<Body> {
  readonly body: Body;
  readonly warnings: readonly string[];
}

/** What the use cases of the catalog need. */
export interface CatalogDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly unitOfWork: UnitOfWork;
  readonly checkProperties: CheckProperties;
  /** Told when a write of scorecards changes the blueprint of their results. */
  readonly keeper: BlueprintKeeper;
  /** Domains in which service accounts may have their addresses. */
  readonly accountDomains: () => readonly string[];
  /** Notes refused writes of machines in the audit log. */
  readonly recordFailures: RecordFailures;
  /** Refuses a write for a run (`run_id`) that is not in progress. @throws AppError `run_ended` */
  readonly assertRun: (work: Work) => Promise<void>;
  /** Reads bodies that are written for an older model of the organization as bodies for the present one. */
  readonly rewriteBodies: <Body extends Pick<EntityChangeBody, 'relations' | 'team'>>(
    work: Work,
    blueprint: StoredBlueprint,
    bodies: readonly Body[],
  ) => Promise<RewrittenBody<Body>[]>;
  /** Told which values searches compare and sort by; indexes follow. */
  readonly noteUse?: ((orgId: string, blueprintKey: number, slot: Slot) => void) | undefined;
  /** Asked before entities are deleted by name, with how many that would be; an answer refuses, and is kept with what it wrote. */
  readonly guardDeletions?: ((work: Work, count: number) => Promise<AppError | undefined>) | undefined;
  /** Writes warnings in the log of the integration that acts; nothing where no integration does. */
  readonly logForSource?: ((work: Work, messages: readonly string[]) => Promise<void>) | undefined;
  /** Whether an integration asks in the middle of a resync that it reported. */
  readonly isWeighingStale?: ((reader: Reader, actor: Actor) => Promise<boolean>) | undefined;
}
