import type { RelationValue } from '@portolan/contract/entities';
import type { ScorecardResult } from '@portolan/contract/scorecards';
import type { Position } from '../../platform/page-cursor.ts';

export type Properties = Readonly<Record<string, unknown>>;
export type Relations = Readonly<Record<string, RelationValue>>;

/** Results of its blueprint's scorecards by identifier; without those whose filter excludes it. */
export type ScorecardResults = Readonly<Record<string, ScorecardResult>>;

/** Unset properties and relations are absent, teams are references. */
export interface StoredEntity {
  readonly key: number;
  readonly blueprintKey: number;
  readonly identifier: string;
  readonly title: string | null;
  readonly icon: string | null;
  readonly properties: Properties;
  readonly relations: Relations;
  /** Computed values: mirror, calculation and aggregation properties. */
  readonly derived: Properties;
  /** Written by the platform alone. */
  readonly scorecards: ScorecardResults;
  readonly ownTeamRefs: readonly string[];
  readonly teamRefs: readonly string[];
  readonly version: number;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

/** An entity with names of teams in the organization's model. */
export interface ReadEntity extends StoredEntity {
  readonly team: readonly string[];
}

export type SortedEntity = ReadEntity & { readonly sortedBy: Position['values'] };
