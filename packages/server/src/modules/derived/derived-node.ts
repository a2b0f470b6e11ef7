import type { StoredBlueprint } from '../blueprints/index.ts';
import type { AggregationSpec } from '../entity-query/index.ts';
import type { Calculation } from './calculation.ts';
import type { RelationPath } from './relation-path.ts';

/** A value computed on every entity of a blueprint. */
interface DerivedValue {
  readonly id: string;
  readonly blueprint: StoredBlueprint;
  /** The key of the property; `$team` for the effective teams. */
  readonly key: string;
  /** Reads only values of lower rank. */
  readonly rank: number;
  /** Whether it changes with the clock. */
  readonly isTimed: boolean;
  /** The definition in comparable form: equal outlines derive equally. */
  readonly outline: string;
}

/** A value read at the ends of a route. */
interface DerivedAlongPath extends DerivedValue {
  readonly route: RelationPath;
  /** Names read of the end entities. */
  readonly endReads: ReadonlySet<string>;
}

export interface MirrorNode extends DerivedAlongPath {
  readonly kind: 'mirror';
  /** A property by key, or a meta-property. */
  readonly source: string;
  readonly isMany: boolean;
}

export interface AggregationNode extends DerivedAlongPath {
  readonly kind: 'aggregation';
  readonly spec: AggregationSpec;
}

/** Teams inherited along a route. */
export interface OwnershipNode extends DerivedAlongPath {
  readonly kind: 'ownership';
}

export interface CalculationNode extends DerivedValue {
  readonly kind: 'calculation';
  readonly calculation: Calculation;
  readonly type: string;
}

/**
 * Null on every entity: its path leads nowhere, or back to itself (compatibility choices, Catalog). For `$team`: the
 * own teams, or none.
 */
export interface InvalidNode extends DerivedValue {
  readonly kind: 'void';
  readonly isOwnTeams: boolean;
}

export type RoutedNode = MirrorNode | AggregationNode | OwnershipNode;

export type DerivedNode = RoutedNode | CalculationNode | InvalidNode;
