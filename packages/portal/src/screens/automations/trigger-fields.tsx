import { NativeSelect, Select } from '@mantine/core';
import type { AutomationEventType } from '@portolan/contract/actions';
import { ChevronDown } from 'lucide-react';
import { useRead } from '../../api/query.ts';
import { issueAt } from '../../kit/refusal.ts';
import { t } from '../../kit/translate.ts';
import { BlueprintSelect, withUnknown } from '../../parts/blueprint-select.tsx';
import { type Event, eventChoices, withEventType } from './automation-draft.ts';
import type { EditorProps } from './editor-props.ts';

/** The trigger. */
export function TriggerFields({ draft, onChange, issues }: EditorProps) {
  const { trigger } = draft;
  const { event } = trigger;
  const set = (changed: Event) => onChange({ ...draft, trigger: { ...trigger, event: changed } });
  const problem = (key: string) => issueAt(issues, 'trigger', 'event', key);
  return (
    <>
      <NativeSelect
        label={t('What happens')}
        data={eventChoices}
        value={event.type}
        error={problem('type')}
        onChange={({ currentTarget }) => set(withEventType(event, currentTarget.value as AutomationEventType))}
        rightSection={<ChevronDown size={14} aria-hidden="true" />}
      />
      {'actionIdentifier' in event ? (
        <ActionSelect
          value={event.actionIdentifier}
          error={problem('actionIdentifier')}
          onChange={(actionIdentifier) => set({ ...event, actionIdentifier })}
        />
      ) : (
        <BlueprintSelect
          label={t('Of the blueprint')}
          value={event.blueprintIdentifier}
          error={problem('blueprintIdentifier')}
          onChange={(blueprintIdentifier) => set({ ...event, blueprintIdentifier })}
        />
      )}
      {'propertyIdentifier' in event && (
        <TimerSelect
          blueprint={event.blueprintIdentifier}
          value={event.propertyIdentifier}
          error={problem('propertyIdentifier')}
          onChange={(propertyIdentifier) => set({ ...event, propertyIdentifier })}
        />
      )}
    </>
  );
}

interface ChoiceProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

function TimerSelect({ blueprint, value, error, onChange }: ChoiceProps & { blueprint: string }) {
  const reading = useRead('getBlueprint', { params: { blueprint_identifier: blueprint } }, { isOn: blueprint !== '' });
  const properties = Object.entries(reading.data?.blueprint.schema.properties ?? {});
  const timers = properties.filter(([, { format }]) => format === 'timer');
  const data = timers.map(([key, { title }]) => ({ value: key, label: title ?? key }));
  return (
    <Select
      label={t('Timer')}
      placeholder={t('Choose a property')}
      description={
        reading.data && timers.length === 0 ? t('The blueprint has no property of the format timer.') : undefined
      }
      allowDeselect={false}
      data={withUnknown(data, value)}
      value={value || null}
      error={error}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}

function ActionSelect({ value, error, onChange }: ChoiceProps) {
  const reading = useRead('listActions', { query: { version: 'v2' } });
  const data = (reading.data?.actions ?? []).map(({ identifier, title, trigger }) => ({
    value: identifier,
    label: `${title || identifier}${trigger['type'] === 'automation' ? ' (automation)' : ''}`,
  }));
  return (
    <Select
      label={t('Of the action')}
      placeholder={t('Choose an action or automation')}
      searchable
      allowDeselect={false}
      data={withUnknown(data, value)}
      value={value || null}
      error={error}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}
