import { type Definition, findNode, isBranching, listWays, only, type Way } from '../document/definition.ts';
import type { Line } from '../document/outline.ts';

/** What is selected: a node, or a way out of it. */
export interface Selection {
  readonly node: string;
  readonly way?: Way | undefined;
  /** The line that tells where the way goes on, instead of the branch itself. */
  readonly isJump?: boolean;
}

export function lineSelection(line: Line): Selection {
  if (line.kind === 'node') return { node: line.node.identifier };
  return line.kind === 'branch'
    ? { node: line.source.identifier, way: line.way }
    : { node: line.from.source, way: line.from.way, isJump: true };
}

/** The way on which something is added after what is selected; undefined after a step that ends the run. */
export function wayAfter(definition: Definition, { node: identifier, way }: Selection): Way | undefined {
  const node = findNode(definition, identifier);
  if (!node) return undefined;
  if (way) return way;
  const ways = listWays(node);
  return isBranching(node) ? ways[0] : ways.includes(only) ? only : undefined;
}
