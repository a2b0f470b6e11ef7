/** A stored value that is not what its sources give. */
export interface Difference {
  readonly blueprint: string;
  readonly entity: string;
  readonly property: string;
  readonly stored: unknown;
  readonly computed: unknown;
}

/** What a check of stored data found: how much was looked at, what is still to be written, and what differs. */
export interface ConsistencyReport {
  readonly checked: number;
  readonly pending: number;
  readonly differences: readonly Difference[];
}
