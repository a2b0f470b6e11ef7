/** A stored value that is not what its sources give. */
export interface Difference {
  readonly blueprint: string;
  readonly entity: string;
  readonly property: string;
  readonly stored: unknown;
  readonly computed: unknown;
}
