import type { RelationValue, ScorecardResult } from '@portolan/contract';
import type { Position } from '../../platform/page-cursor.ts';

export type Properties = Readonly<Record<string, unknown>>;
export type Relations = Readonly<Record<string, RelationValue>>;

/** What the scorecards of its blueprint found on an entity, by their identifiers; those whose filter leaves it out are absent. */
export type ScorecardResults = Readonly<Record<string, ScorecardResult>>;

/** An entity as it is stored: unset properties and relations are absent, teams are references. */
export interface StoredEntity {
  readonly key: number;
  readonly blueprintKey: number;
  readonly identifier: string;
  readonly title: string | null;
  readonly icon: string | null;
  readonly properties: Properties;
  readonly relations: Relations;
  /** Values the platform computed: mirror, calculation and aggregation properties. */
  readonly derived: Properties;
  /** What scorecards found, written by the platform alone. */
  readonly scorecards: ScorecardResults;
  readonly ownTeamRefs: readonly string[];
  readonly teamRefs: readonly string[];
  readonly version: number;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

/** An entity with the names of its teams, in the form of the organization's model. */
export interface ReadEntity extends StoredEntity {
  readonly team: readonly string[];
}

/** An entity with the values it is sorted by. */
export type SortedEntity = ReadEntity & { readonly sortedBy: Position['values'] };
