/** A stored value that differs from what its sources give. */
export interface Difference {
  readonly blueprint: string;
  readonly entity: string;
  readonly property: string;
  readonly stored: unknown;
  readonly computed: unknown;
}

/** The result of a check: examined, still to be written, and different. */
export interface ConsistencyReport {
  readonly checked: number;
  readonly pending: number;
  readonly differences: readonly Difference[];
}
