import { NodeFailure } from '../node-failure.ts';
import type { NodeKind } from '../node-kind.ts';
import type { NodesDeps } from '../nodes.deps.ts';
import { renderShown } from '../render-node.ts';
import { runContext } from '../run-context.ts';

const secondsMax = 90 * 86_400;

/** Waits for a number of seconds, or until a moment; a moment that has passed is no wait. */
export function delayKind(deps: Pick<NodesDeps, 'database'>): NodeKind {
  return {
    effect: 'none',
    computes: true,
    async plan(call) {
      const context = await runContext(deps, call);
      const { seconds, until } = renderShown(
        { seconds: call.node.config['seconds'] ?? null, until: call.node.config['until'] ?? null },
        context,
        call.now,
      ) as { readonly seconds: unknown; readonly until: unknown };
      const dueAt = until === null ? afterSeconds(call.now, seconds) : atMoment(until);
      if (dueAt.getTime() - call.now.getTime() > secondsMax * 1_000) {
        throw new NodeFailure(`It would wait until ${dueAt.toISOString()}, and 90 days are the longest wait`);
      }
      const raw = { until: dueAt.toISOString() };
      return { kind: 'waits', for: 'time', dueAt: dueAt < call.now ? call.now : dueAt, raw, input: { seconds, until } };
    },
  };
}

function afterSeconds(now: Date, seconds: unknown): Date {
  const count = typeof seconds === 'string' && seconds.trim() !== '' ? Number(seconds) : seconds;
  if (typeof count !== 'number' || !(count >= 0)) {
    throw new NodeFailure(`"seconds" came to ${JSON.stringify(seconds)?.slice(0, 100)}, which is no number of seconds`);
  }
  // beyond it a date cannot be computed, and the wait is refused anyway
  return new Date(now.getTime() + Math.min(count, secondsMax * 2) * 1_000);
}

function atMoment(until: unknown): Date {
  const moment = typeof until === 'string' || typeof until === 'number' ? new Date(until) : undefined;
  if (moment && !Number.isNaN(moment.getTime())) return moment;
  throw new NodeFailure(`"until" came to ${JSON.stringify(until)?.slice(0, 100)}, which is no time`);
}
