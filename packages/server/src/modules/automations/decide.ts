import type { EvaluationTime } from '../../platform/evaluation-time.ts';
import type { Occasion, StoredAction } from '../actions/index.ts';
import type { StoredRecord } from '../journal/index.ts';
import { decideCondition } from './check-condition.ts';
import type { AutomationEvent } from './event.ts';

/** Longest chain of automation runs; the next run is stopped (catalog semantics §5.3). */
const chainMax = 20;
/** In a loop, each event contains the previous run with its event, and so grows with every turn. */
const eventBytesMax = 1024 * 1024;

export type Decision =
  | { readonly kind: 'ignored' }
  | ({ readonly kind: 'runs' } & Start)
  /** The run is stored with the reason why it is not executed. */
  | ({ readonly kind: 'stopped'; readonly reason: string } & Start);

interface Start {
  readonly occasion: Occasion;
  readonly eventId: string;
  readonly causedBy: string | undefined;
}

interface Question {
  readonly automation: StoredAction | undefined;
  readonly record: StoredRecord | undefined;
  readonly event: AutomationEvent | undefined;
  readonly causeDepth: number;
  /** Of its condition. */
  readonly time: EvaluationTime;
}

/** Decides whether an automation runs for an event that it was listening to when the event happened. */
export function decide({ automation, record, event, causeDepth, time }: Question): Decision {
  const trigger = automation?.definition.trigger;
  if (!record || !event || trigger?.type !== 'automation' || automation?.definition.publish === false) {
    return { kind: 'ignored' };
  }
  // an event beyond a stopped run is ignored, or the loop would store stopped runs for ever
  if (causeDepth > chainMax) return { kind: 'ignored' };
  const verdict = decideCondition(trigger, event, time);
  if (verdict === 'fails') return { kind: 'ignored' };
  const { blueprint = null, entity = null } = record.context;
  const isEntity = record.resourceType === 'entity';
  const start: Start = {
    occasion: { event, blueprint: isEntity ? blueprint : null, entity: isEntity ? entity : null },
    eventId: record.id,
    causedBy: record.context['runId'],
  };
  if (causeDepth === chainMax) {
    const reason = `Stopped: ${chainMax} runs of automations led to this one, which looks like a loop; compare before and after in the condition`;
    return { kind: 'stopped', reason, ...start };
  }
  if (JSON.stringify(event).length > eventBytesMax) {
    const reason = 'Stopped: the event is larger than 1 MiB; send less of an event in the body of the webhook';
    return { kind: 'stopped', reason, ...start, occasion: { ...start.occasion, event: { ...event, diff: null } } };
  }
  // the event may be one that it is there for
  if (verdict !== 'holds') return { kind: 'stopped', reason: verdict.undecided, ...start };
  return { kind: 'runs', ...start };
}
