import { Select } from '@mantine/core';
import { isRecord } from '@portolan/contract/json-value';
import { useState } from 'react';
import { call } from '../../../api/api.ts';
import { useRead } from '../../../api/query.ts';
import { locale } from '../../../kit/language.ts';
import { t } from '../../../kit/translate.ts';
import { toEvent } from './test-sample.ts';

interface PastProps {
  readonly onTake: (sample: unknown) => void;
}

const most = 20;

/** Takes what an earlier run by this trigger began with. */
export function PastRun({ workflow, trigger, onTake }: PastProps & { workflow: string; trigger: string }) {
  const [run, setRun] = useState<string | null>(null);
  const read = useRead('listWorkflowRuns', { query: { workflow, limit: most } });
  const runs = (read.data?.runs ?? []).filter((each) => each.trigger.identifier === trigger);
  const choose = async (identifier: string | null) => {
    setRun(identifier);
    if (identifier === null) return;
    const answer = await call('getWorkflowRun', { params: { run_id: identifier }, query: {} } as never);
    const outputs = answer.run.variables.outputs as Readonly<Record<string, unknown>> | undefined;
    onTake(outputs?.['trigger'] ?? {});
  };
  return (
    <Select
      label={t('Sample of a past run')}
      placeholder={runs.length === 0 ? t('None yet') : t('Choose')}
      value={run}
      data={runs.map(({ identifier, createdAt }) => ({
        value: identifier,
        label: `${new Date(createdAt).toLocaleString(locale)} · ${identifier}`,
      }))}
      onChange={(next) => void choose(next)}
      disabled={runs.length === 0}
    />
  );
}

const actionOf: Readonly<Record<string, 'CREATE' | 'UPDATE' | 'DELETE' | 'TIMER_EXPIRED'>> = {
  ENTITY_CREATED: 'CREATE',
  ENTITY_UPDATED: 'UPDATE',
  ENTITY_DELETED: 'DELETE',
  TIMER_EXPIRED: 'TIMER_EXPIRED',
};

/** Takes what happened lately, as the trigger listens to it. */
export function PastEvent({ event, onTake }: PastProps & { event: unknown }) {
  const { type, blueprintIdentifier } = isRecord(event) ? event : {};
  const blueprint = typeof blueprintIdentifier === 'string' ? blueprintIdentifier : '';
  const action = actionOf[String(type)];
  const [chosen, setChosen] = useState<string | null>(null);
  const query = { resources: ['entity'], status: 'SUCCESS', blueprint, limit: most, ...(action ? { action } : {}) };
  const read = useRead('getAuditLog', { query } as never, { isOn: blueprint !== '' });
  const events = (read.data?.audits ?? []).flatMap((each) => (each.identifier ? [each] : []));
  return (
    <Select
      label={t('Recent event')}
      placeholder={events.length === 0 ? t('None yet') : t('Choose')}
      value={chosen}
      data={events.map(({ identifier = '', context, trigger }) => ({
        value: identifier,
        label: `${context?.['entity'] ?? identifier} · ${trigger ? new Date(trigger.at).toLocaleString(locale) : ''}`,
      }))}
      onChange={(next) => {
        setChosen(next);
        const found = events.find(({ identifier }) => identifier === next);
        if (found) onTake(toEvent(found));
      }}
      disabled={events.length === 0}
    />
  );
}
