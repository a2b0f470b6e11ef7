import type { ExecutionMode } from '@portolan/contract/assistant';

/** A request may tighten an agent's mode, never loosen it; without any mode, approval is required. */
export function boundedMode(asked: ExecutionMode | undefined, ofAgent: ExecutionMode | undefined): ExecutionMode {
  if (ofAgent === 'Manual Approval') return ofAgent;
  return asked ?? ofAgent ?? 'Manual Approval';
}
