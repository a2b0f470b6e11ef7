import { isRecord } from '@portolan/contract/json-value';
import type { UseQueryResult } from '@tanstack/react-query';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { locale } from '../../kit/language.ts';

type Audit = AnswerOf<'getAuditLog'>['audits'][number];

export interface PastEvent {
  readonly id: string;
  /** What happened to which entity or run, and when. */
  readonly words: string;
}

/** Run events cover all actions and are filtered here, so more are requested. */
const limits = { entity: 100, run: 300 } as const;

/**
 * Recent events of the trigger's subject, newest first. Includes events that do not match the trigger, to test why not.
 */
export function usePastEvents(trigger: unknown): {
  readonly reading: UseQueryResult<AnswerOf<'getAuditLog'>>;
  readonly events: readonly PastEvent[];
} {
  const event = isRecord(trigger) && isRecord(trigger['event']) ? trigger['event'] : {};
  const { blueprintIdentifier, actionIdentifier } = event;
  const kind = typeof actionIdentifier === 'string' ? 'run' : 'entity';
  const query = {
    resources: [kind],
    status: 'SUCCESS',
    limit: limits[kind],
    includes: ['identifier', 'action', 'context', 'trigger', 'resourceType'],
    ...(kind === 'entity' && typeof blueprintIdentifier === 'string' ? { blueprint: blueprintIdentifier } : {}),
  };
  const reading = useRead('getAuditLog', { query }, { everyMs: 5_000 });
  const audits = (reading.data?.audits ?? []).filter(
    ({ context }) => kind === 'entity' || context?.['action'] === actionIdentifier,
  );
  return { reading, events: audits.flatMap(toPastEvents) };
}

const verbs: Readonly<Record<string, string>> = {
  CREATE: 'created',
  UPDATE: 'changed',
  DELETE: 'deleted',
  TIMER_EXPIRED: 'timer expired',
};

function toPastEvents({ identifier, action = '', context = {}, trigger }: Audit): readonly PastEvent[] {
  if (identifier === undefined) return [];
  const at = trigger?.at ? new Date(trigger.at).toLocaleString(locale) : '';
  const what = context['entity'] ?? context['runId'] ?? context['action'] ?? '';
  return [{ id: identifier, words: `${what} ${verbs[action] ?? action.toLowerCase()} · ${at}` }];
}
