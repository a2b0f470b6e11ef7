import type { NodeCall, NodeOutcome } from './node-kind.ts';
import { numberWithin } from './retry-rule.ts';

const daySeconds = 86_400;

type Waits = Extract<NodeOutcome, { kind: 'waits' }>;

/** The node goes on when somebody reports on it; if nobody does within `reportWithinSeconds`, it fails. */
export function waitsForReport(
  { node, now }: NodeCall,
  more: Pick<Waits, 'input' | 'raw' | 'installationId' | 'log'>,
): Waits {
  const seconds = numberWithin(node.config['reportWithinSeconds'], 1, 90 * daySeconds, 7 * daySeconds);
  return { kind: 'waits', for: 'report', dueAt: new Date(now.getTime() + seconds * 1_000), ...more };
}
