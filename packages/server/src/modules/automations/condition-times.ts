import { type EvaluationTime, shareTime } from '../../platform/evaluation-time.ts';
import { expressionLimits } from '../../platform/expressions.ts';

/** For the conditions over one event of all who listen to it. */
const togetherMs = 1_000;
const conditionMs = expressionLimits['condition of an automation'].wallTimeMs;

interface SharedEvent {
  listeners: number;
  waiting: number;
  leftMs: number;
  last: EvaluationTime | undefined;
}

/**
 * The time of each next condition over an event; `eventKeys` has an event once for each condition. Those over one event
 * take about a second together: each an equal part of what those before it left, so that none takes what others need,
 * and at most what one may take alone (decision 0214).
 */
export function shareConditionTimes(eventKeys: readonly number[], now: Date): (eventKey: number) => EvaluationTime {
  const events = new Map<number, SharedEvent>();
  for (const key of eventKeys) {
    const event = events.get(key) ?? { listeners: 0, waiting: 0, leftMs: togetherMs, last: undefined };
    events.set(key, { ...event, listeners: event.listeners + 1, waiting: event.waiting + 1 });
  }
  return (eventKey) => {
    const event = events.get(eventKey) as SharedEvent;
    if (event.last) event.leftMs -= event.last.totalMs - event.last.leftMs();
    // an evaluation may end a little late, for which the last ones do not pay
    const partMs = Math.max(event.leftMs / event.waiting, togetherMs / event.listeners);
    event.waiting -= 1;
    event.last = shareTime(now, Math.min(conditionMs, partMs));
    return event.last;
  };
}
