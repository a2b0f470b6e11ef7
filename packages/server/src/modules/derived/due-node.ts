import type { DerivedNode } from './derived-node.ts';

/** A due value with its entities. */
export interface DueNode {
  readonly node: DerivedNode;
  readonly keys: ReadonlySet<number>;
}
