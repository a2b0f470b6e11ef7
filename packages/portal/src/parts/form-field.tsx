import { Checkbox, Group, MultiSelect, NumberInput, Select, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import type { InputState } from '@portolan/contract/action-forms';
import type { ActionInput } from '@portolan/contract/action-inputs';
import { PasswordField } from '../kit/password-field.tsx';
import { t } from '../kit/translate.ts';
import { ColourBadge } from './badges.tsx';
import { useTeams } from './entities/team-form.ts';
import { PersonPicker, TeamPicker } from './entity-form/pickers.tsx';
import { EntityPicker, type EntityPickerProps } from './entity-picker.tsx';
import { StructuredField } from './structured-field.tsx';

export interface FormFieldProps {
  readonly name: string;
  readonly input: ActionInput;
  readonly state: InputState | undefined;
  readonly value: unknown;
  readonly error?: string | undefined;
  readonly onChange: (value: unknown) => void;
  readonly onBlur: () => void;
  readonly onProblem: (problem: string | undefined) => void;
}

type Item = Partial<ActionInput>;

/** An input of a form, by type and format. */
export function FormField(props: FormFieldProps) {
  const { input } = props;
  if (input.encryption) return <SecretField {...props} />;
  if (input.type === 'boolean') return <TruthField {...props} />;
  if (input.type === 'array') return <ManyField {...props} />;
  if (input.type === 'object') {
    return input.format === 'labeled-url' ? <LabeledUrlField {...props} /> : <Written {...props} language="json" />;
  }
  if (props.state?.enum || input.enum) return <ChoiceField {...props} />;
  if (input.type === 'number') return <NumberField {...props} />;
  return <TextField {...props} />;
}

function common({ name, input, state, error, onBlur }: FormFieldProps) {
  return {
    id: fieldId(name),
    label: input.title || name,
    description: input.description ?? undefined,
    error,
    required: state?.isRequired ?? false,
    disabled: state?.isDisabled ?? false,
    onBlur,
  };
}

/** The element id of an input, for moving the focus to an issue. */
export function fieldId(name: string): string {
  return `input-${name}`;
}

function picker(props: FormFieldProps) {
  const { id, label, description, error, required, disabled, onBlur } = common(props);
  return { id, label, description, error, isRequired: required, isDisabled: disabled, onBlur };
}

/** Picks users and teams from plain lists in organizations where they are not entities yet. */
function ThingPicker(props: EntityPickerProps) {
  const { areEntities } = useTeams();
  const { blueprint, value, onChange, isMany = false, label, description, error, isRequired, isDisabled } = props;
  const List = { _team: TeamPicker, _user: PersonPicker }[blueprint];
  if (!List || areEntities !== false) return <EntityPicker {...props} />;
  return (
    <List
      label={label}
      {...(typeof description === 'string' ? { description } : {})}
      {...(typeof error === 'string' ? { error } : {})}
      withAsterisk={isRequired ?? false}
      isDisabled={isDisabled ?? false}
      isMany={isMany}
      value={isMany ? value : value[0]}
      onChange={(next) => onChange([next].flat().filter((each): each is string => typeof each === 'string'))}
    />
  );
}

const people: Readonly<Record<string, string>> = { team: '_team', user: '_user' };

function TextField(props: FormFieldProps) {
  const { input, value, onChange, state } = props;
  const { format } = input;
  const text = typeof value === 'string' ? value : isEmpty(value) ? '' : JSON.stringify(value);
  const blueprint = format === 'entity' ? input.blueprint : people[format ?? ''];
  if (blueprint) {
    return (
      <ThingPicker
        {...picker(props)}
        blueprint={blueprint}
        dataset={state?.dataset}
        sort={input.sort}
        value={text ? [text] : []}
        onChange={([chosen]) => onChange(chosen ?? null)}
      />
    );
  }
  if (format === 'yaml' || format === 'markdown') return <Written {...props} language={format} />;
  if (format === 'proto') return <Written {...props} language="text" />;
  if (format === 'multi-line') {
    return (
      <Textarea
        {...common(props)}
        value={text}
        autosize
        minRows={3}
        maxRows={14}
        onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
      />
    );
  }
  if (format === 'date-time' || format === 'timer') {
    return (
      <TextInput
        {...common(props)}
        type="datetime-local"
        value={localMoment(text)}
        onChange={({ currentTarget: { value: local } }) => onChange(local ? new Date(local).toISOString() : null)}
      />
    );
  }
  const types: Readonly<Record<string, string>> = { email: 'email', url: 'url', date: 'date' };
  return (
    <TextInput
      {...common(props)}
      type={types[format ?? ''] ?? 'text'}
      value={text}
      onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
    />
  );
}

function SecretField(props: FormFieldProps) {
  const { input, value, onChange } = props;
  const { description, label, ...rest } = common(props);
  const kept =
    typeof input.encryption === 'object' ? t('Encrypted here, for the holder of its key alone.') : t('Kept encrypted.');
  return (
    <PasswordField
      {...rest}
      label={label}
      shows={label}
      autoComplete="new-password"
      description={[description, kept, input.type === 'object' ? t('Write JSON.') : ''].filter(Boolean).join(' ')}
      value={typeof value === 'string' ? value : ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
    />
  );
}

function TruthField(props: FormFieldProps) {
  const { required: _, ...rest } = common(props);
  return (
    <Checkbox
      {...rest}
      checked={props.value === true}
      onChange={({ currentTarget }) => props.onChange(currentTarget.checked)}
    />
  );
}

function NumberField(props: FormFieldProps) {
  const { input, value, onChange } = props;
  return (
    <NumberInput
      {...common(props)}
      value={typeof value === 'number' ? value : ''}
      clampBehavior="none"
      {...(typeof input.minimum === 'number' ? { min: input.minimum } : {})}
      {...(typeof input.maximum === 'number' ? { max: input.maximum } : {})}
      onChange={(next) => onChange(next === '' ? null : Number(next))}
    />
  );
}

/** The allowed values, each in its colour. */
function ChoiceField(props: FormFieldProps) {
  const { input, state, value, onChange } = props;
  const choices = [...new Set((state?.enum ?? []).map(String))];
  const colours = (input['enumColors'] ?? {}) as Readonly<Record<string, string>>;
  const typed = (text: string | null) => (text !== null && input.type === 'number' ? Number(text) : text);
  return (
    <Select
      {...common(props)}
      data={choices}
      searchable={choices.length > 7}
      clearable={!state?.isRequired}
      clearButtonProps={{ 'aria-label': t('Empty {title}', { title: input.title || props.name }) }}
      nothingFoundMessage={
        choices.length === 0
          ? t('This list has no choices now. An administrator can change that in the action.')
          : t('No match')
      }
      value={isEmpty(value) ? null : String(value)}
      renderOption={({ option }) =>
        colours[option.value] ? (
          <ColourBadge colour={colours[option.value]}>{option.label}</ColourBadge>
        ) : (
          <span>{option.label}</span>
        )
      }
      onChange={(next) => onChange(typed(next))}
    />
  );
}

function ManyField(props: FormFieldProps) {
  const { input, state, value, onChange } = props;
  const items = (input.items ?? {}) as Item;
  const list = Array.isArray(value) ? value : [];
  const blueprint = items.format === 'entity' ? (items.blueprint ?? input.blueprint) : people[items.format ?? ''];
  const limit = state?.maxItems;
  if (blueprint) {
    return (
      <ThingPicker
        {...picker(props)}
        blueprint={blueprint}
        dataset={state?.dataset}
        sort={input.sort}
        isMany
        most={limit}
        value={list.filter((each): each is string => typeof each === 'string')}
        onChange={(next) => onChange(next.length > 0 ? next : null)}
      />
    );
  }
  const isNumber = items.type === 'number';
  if (items.type && items.type !== 'string' && !isNumber) return <Written {...props} language="json" />;
  const write = (texts: readonly string[]) => {
    const next = isNumber ? texts.map(Number).filter(Number.isFinite) : texts;
    onChange(next.length > 0 ? next : null);
  };
  const shared = {
    ...common(props),
    value: list.map(String),
    onChange: write,
    ...(limit === undefined ? {} : limit > 0 ? { maxValues: limit } : {}),
  };
  const choices = Array.isArray(items.enum) ? items.enum : state?.enum;
  if (choices) return <MultiSelect {...shared} data={[...new Set(choices.map(String))]} searchable />;
  return <TagsInput {...shared} placeholder={list.length === 0 ? t('Type one, then Enter') : ''} acceptValueOnBlur />;
}

function LabeledUrlField(props: FormFieldProps) {
  const { input, value, onChange, error, state, onBlur, name } = props;
  const { url = '', displayText = '' } = (value ?? {}) as { url?: string; displayText?: string };
  const write = (next: { url: string; displayText: string }) => onChange(next.url || next.displayText ? next : null);
  const isDisabled = state?.isDisabled ?? false;
  return (
    <fieldset disabled={isDisabled}>
      <Text component="legend" size="sm" fw={500}>
        {input.title || name}
      </Text>
      <Group grow align="flex-start">
        <TextInput
          id={fieldId(name)}
          label={t('Address')}
          type="url"
          value={url}
          error={error}
          required={state?.isRequired ?? false}
          onBlur={onBlur}
          onChange={({ currentTarget }) => write({ url: currentTarget.value, displayText })}
        />
        <TextInput
          label={t('Text to show')}
          value={displayText}
          onChange={({ currentTarget }) => write({ url, displayText: currentTarget.value })}
        />
      </Group>
    </fieldset>
  );
}

function Written({ language, ...props }: FormFieldProps & { language: 'json' | 'yaml' | 'markdown' | 'text' }) {
  const { label, description, error, required, disabled } = common(props);
  return (
    <StructuredField
      label={label}
      description={description}
      error={error}
      isRequired={required}
      isDisabled={disabled}
      language={language}
      value={props.value}
      onChange={props.onChange}
      onProblem={props.onProblem}
    />
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null;
}

/** A timestamp in the format of the date input: local, without zone. */
function localMoment(text: string): string {
  const moment = new Date(text);
  if (text === '' || Number.isNaN(moment.getTime())) return '';
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
