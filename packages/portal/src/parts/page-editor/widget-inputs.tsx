import { MultiSelect, NumberInput, Select, Switch, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { exact } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';
import { useTeams } from '../entities/team-form.ts';
import { useFields } from '../entities/use-fields.ts';
import { EntityPicker } from '../entity-picker.tsx';
import { IconSelect } from '../icon-select.tsx';
import { thingTitle } from '../run-things.ts';
import { widgetList, widgetText } from '../widgets/widget-shape.ts';
import { blueprintOfForm, type Choice, type FormField, type InputProps, valueAt, withWritten } from './form-fields.ts';
import { FormsInput } from './forms-input.tsx';
import { isOffered, referenceTo } from './property-choice.ts';
import { RowsInput } from './rows-input.tsx';

/** The input for a text, a number or a short choice. */
export function SimpleInput({ field, widget, error, onAnswer }: InputProps) {
  const value = valueAt(widget, field.key);
  const text = typeof value === 'string' ? value : '';
  const common = { label: field.label, error, required: field.isRequired ?? false, withAsterisk: false };
  switch (field.kind) {
    case 'text':
      return (
        <TextInput
          {...common}
          maxLength={field.most}
          value={text}
          onChange={({ currentTarget }) => onAnswer(currentTarget.value)}
        />
      );
    case 'markdown':
      return (
        <Textarea
          {...common}
          description={t('Markdown')}
          autosize
          minRows={6}
          maxRows={20}
          value={text}
          onChange={({ currentTarget }) => onAnswer(currentTarget.value)}
        />
      );
    case 'texts':
      return (
        <TagsInput
          {...common}
          description={field.text ?? t('Enter after each')}
          value={Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []}
          onChange={(next) => onAnswer(next.length > 0 ? next : undefined)}
        />
      );
    case 'icon':
      return <IconSelect value={text || undefined} onChange={onAnswer} />;
    case 'number':
      return (
        <NumberInput
          {...common}
          min={field.least}
          max={field.most}
          value={typeof value === 'number' ? value : ''}
          onChange={(next) => onAnswer(typeof next === 'number' ? next : undefined)}
        />
      );
    case 'switch': {
      const key = [field.key, ...(field.otherSpellings ?? [])].find((each) => widget[each] !== undefined);
      return (
        <Switch
          label={field.label}
          description={field.text}
          checked={widget[key ?? field.key] === true}
          onChange={({ currentTarget }) => onAnswer(currentTarget.checked)}
        />
      );
    }
    case 'choice':
      return (
        <Select
          {...common}
          allowDeselect={false}
          clearable={!field.isRequired}
          clearButtonProps={{ 'aria-label': t('Clear {label}', { label: field.label }) }}
          data={field.choices.map(([each, label]) => ({ value: each, label }))}
          value={text || null}
          onChange={(next) => onAnswer(next ?? undefined)}
        />
      );
    default:
      return null;
  }
}

/** The input for something from the catalog. */
export function CatalogInput(props: InputProps) {
  switch (props.field.kind) {
    case 'blueprint':
      return <BlueprintInput {...props} />;
    case 'entity':
      return <EntityInput {...props} />;
    case 'property':
      return <PropertyInput {...props} />;
    case 'dataset':
    case 'table':
      return <RowsInput {...props} />;
    case 'run':
      return <RunInput {...props} />;
    case 'workflows':
      return <FormsInput {...props} />;
    default:
      return <NamedInput {...props} />;
  }
}

function BlueprintInput({ field, widget, error, onAnswer }: InputProps) {
  const read = useRead('listBlueprints');
  const value = valueAt(widget, field.key);
  return (
    <Select
      label={field.label}
      error={error}
      searchable
      allowDeselect={false}
      clearable={!field.isRequired}
      clearButtonProps={{ 'aria-label': t('Clear {label}', { label: field.label }) }}
      data={(read.data?.blueprints ?? []).map(({ identifier, title }) => ({ value: identifier, label: title }))}
      value={typeof value === 'string' ? value : null}
      onChange={(next) => onAnswer(next ?? undefined)}
    />
  );
}

function EntityInput({ field, widget, error, onAnswer }: InputProps) {
  const blueprint = blueprintOfForm(widget);
  const value = valueAt(widget, field.key);
  if (!blueprint)
    return <Hint text={t('Choose a blueprint first, then the {label}.', { label: field.label.toLowerCase() })} />;
  return (
    <EntityPicker
      label={field.label}
      error={error}
      blueprint={blueprint}
      value={typeof value === 'string' ? [value] : []}
      onChange={([next]) => onAnswer(next)}
    />
  );
}

function PropertyInput(props: InputProps) {
  const blueprint = blueprintOfForm(props.widget);
  if (!blueprint) return null;
  return <PropertySelect {...props} blueprint={blueprint} />;
}

function PropertySelect({ field, widget, error, onAnswer, blueprint }: InputProps & { blueprint: string }) {
  const { fields = [] } = useFields(blueprint);
  if (field.kind !== 'property') return null;
  const value = valueAt(widget, field.key);
  const data = fields
    .filter((each) => isOffered(each, field.of))
    .map((each) => ({ value: referenceTo(each, field.form), label: each.title }));
  const written = (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === 'string');
  const known = new Set(data.map((each) => each.value));
  // a stored value that is not offered stays an option, so that saving does not remove it
  const all = [...data, ...written.filter((each) => !known.has(each)).map((each) => ({ value: each, label: each }))];
  const common = { label: field.label, error, searchable: true, data: all };
  return field.isMany ? (
    <MultiSelect {...common} value={written} onChange={(next) => onAnswer(next.length > 0 ? next : undefined)} />
  ) : (
    <Select
      {...common}
      clearable={!field.isRequired}
      clearButtonProps={{ 'aria-label': t('Clear {label}', { label: field.label }) }}
      value={written[0] ?? null}
      onChange={(next) => onAnswer(next ?? undefined)}
    />
  );
}

function NamedInput({ field, widget, error, onAnswer }: InputProps) {
  const value = valueAt(widget, field.key);
  const text = typeof value === 'string' ? value : null;
  const choices = useChoices(field.kind);
  if (field.kind === 'agent') {
    return (
      <EntityPicker
        label={field.label}
        error={error}
        blueprint="_ai_agent"
        value={text === null ? [] : [text]}
        onChange={([next]) => onAnswer(next)}
      />
    );
  }
  if (field.kind === 'actions') {
    const chosen = widgetList(widget, field.key).flatMap((each) => widgetText(each, 'action') ?? []);
    return (
      <MultiSelect
        label={field.label}
        error={error}
        searchable
        data={withWritten(choices, chosen)}
        value={chosen}
        onChange={(next) =>
          onAnswer(
            next.map(
              (action) =>
                widgetList(widget, field.key).find((each) => widgetText(each, 'action') === action) ?? { action },
            ),
          )
        }
      />
    );
  }
  return (
    <Select
      label={field.label}
      error={error}
      searchable
      allowDeselect={false}
      clearable={!field.isRequired}
      clearButtonProps={{ 'aria-label': t('Clear {label}', { label: field.label }) }}
      data={withWritten(choices, text === null ? [] : [text])}
      value={text}
      onChange={(next) => onAnswer(next ?? undefined)}
    />
  );
}

/** Chooses a recent run, or any run by its id, the last part of its address. */
function RunInput({ field, widget, error, onAnswer }: InputProps) {
  const [typed, setTyped] = useState('');
  const read = useRead('listRuns', { query: { limit: 100, version: 'v2' } });
  const value = valueAt(widget, field.key);
  const text = typeof value === 'string' ? value : null;
  const latest = (read.data?.runs ?? []).map(({ id = '', action, createdAt }) => ({
    value: id,
    label: `${thingTitle(action) ?? id} · ${exact(new Date(createdAt ?? 0))} · ${id}`,
  }));
  const isId = /^[\w-]{6,200}$/.test(typed) && !latest.some(({ label }) => label.includes(typed));
  return (
    <Select
      label={field.label}
      description={t('One of the latest hundred, or the id of another')}
      error={error}
      searchable
      allowDeselect={false}
      data={withWritten(latest, [...new Set([...(text === null ? [] : [text]), ...(isId ? [typed] : [])])])}
      value={text}
      onSearchChange={setTyped}
      onChange={(next) => onAnswer(next ?? undefined)}
    />
  );
}

function useChoices(kind: FormField['kind']): readonly Choice[] {
  const isAction = kind === 'action' || kind === 'actions';
  const actions = useRead('listActions', { query: { trigger_type: 'self-service' } }, { isOn: isAction });
  const workflows = useRead('listWorkflows', undefined, { isOn: kind === 'workflow' });
  const users = useRead('listUsers', undefined, { isOn: kind === 'user' });
  const { teams } = useTeams();
  if (isAction)
    return (actions.data?.actions ?? []).map(({ identifier, title }) => ({
      value: identifier,
      label: title ?? identifier,
    }));
  if (kind === 'workflow')
    return (workflows.data?.workflows ?? []).map(({ identifier, title }) => ({
      value: identifier,
      label: title || identifier,
    }));
  if (kind === 'user')
    return (users.data?.users ?? []).flatMap(({ email }) => (email ? [{ value: email, label: email }] : []));
  return kind === 'team' ? teams.map(({ name, identifier }) => ({ value: identifier, label: name })) : [];
}

function Hint({ text }: { text: string }) {
  return (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  );
}
