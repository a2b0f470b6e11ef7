import { failedNode } from '../node-failure.ts';
import type { NodeKind } from '../node-kind.ts';

/** A kind that is kept for the files of others and cannot be carried out. */
export function unsupportedKind(message: string): NodeKind {
  return { effect: 'none', computes: true, plan: async () => failedNode(message) };
}
