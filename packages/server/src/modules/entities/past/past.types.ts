import type { UnknownPart } from '@portolan/contract/as-of';
import type { StoredBlueprint } from '../../blueprints/index.ts';
import type { ReadEntity } from '../../entity-rows/index.ts';
import type { Position, RecordedEntity } from '../../journal/index.ts';
import type { ReadDeps } from '../read-entities.ts';

export interface PastDeps extends ReadDeps {
  /** How long the journal is kept. */
  readonly historyDays?: number | undefined;
}

/** An entity from its creation on, under the last name that it had: until now, or until it was deleted. */
export interface Life {
  readonly key: number;
  readonly name: string;
  readonly since: Date;
  /** What it is now, or was when it was deleted. */
  readonly last: RecordedEntity;
  readonly deleted: Position | undefined;
}

/** An entity as it was at a moment; what is unknown is still among its values, and must be taken out when shown. */
export interface PastEntity {
  readonly life: Life;
  readonly entity: ReadEntity;
  readonly changedAt: Date | undefined;
  readonly nextChangeAt: Date | undefined;
  /** What is unknown of this one, beside what is unknown of every entity of its blueprint. */
  readonly unknown: readonly UnknownPart[];
}

/** What an organization's journal tells of a blueprint at a moment. */
export interface PastBlueprint {
  readonly blueprint: StoredBlueprint;
  /** What is unknown of every entity. */
  readonly unknown: readonly UnknownPart[];
}
