import type { NodeOutcome } from './node-kind.ts';

/** A node that cannot do what it says, as a sentence for readers of its run. */
export class NodeFailure extends Error {}

export function failedNode(message: string, response?: unknown): Extract<NodeOutcome, { kind: 'ended' }> {
  return {
    kind: 'ended',
    result: 'FAILED',
    message,
    raw: { error: { message }, ...(response === undefined ? {} : { response }) },
  };
}

export function succeededNode(raw: unknown): Extract<NodeOutcome, { kind: 'ended' }> {
  return { kind: 'ended', result: 'SUCCESS', raw };
}
