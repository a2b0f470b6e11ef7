import type { ExecutionMode } from '@portolan/contract';

/** The mode of a run: a request may tighten the mode of an agent, never loosen it; nothing said means approval. */
export function boundedMode(asked: ExecutionMode | undefined, ofAgent: ExecutionMode | undefined): ExecutionMode {
  if (ofAgent === 'Manual Approval') return ofAgent;
  return asked ?? ofAgent ?? 'Manual Approval';
}
