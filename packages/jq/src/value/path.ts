import type { JqValue } from './value.ts';

/** A path as a chain from its last key back to the root, so that extending one shares all of the rest. */
export interface PathNode {
  readonly parent: PathNode | null;
  readonly key: JqValue;
}

/** The root of the value a path expression started from. */
export const rootPath: PathNode = { parent: null, key: null };

export function extendPath(parent: PathNode, key: JqValue): PathNode {
  return { parent, key };
}

export function extendPathBy(parent: PathNode, keys: readonly JqValue[]): PathNode {
  let node = parent;
  for (const key of keys) node = { parent: node, key };
  return node;
}

export function pathToArray(path: PathNode): JqValue[] {
  const keys: JqValue[] = [];
  for (let node: PathNode = path; node.parent !== null; node = node.parent) keys.push(node.key);
  return keys.reverse();
}
