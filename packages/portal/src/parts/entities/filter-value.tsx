import { MultiSelect, NumberInput, Select, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { t } from '../../kit/translate.ts';
import type { Field } from './fields.ts';
import { operators, presetNames } from './operators.ts';
import { useTeams } from './team-form.ts';

const presets = Object.entries(presetNames).map(([value, label]) => ({ value, label }));

/** The input for a rule's value, by field and operator. */
export function FilterValue({
  field,
  operator,
  value,
  onChange,
}: {
  field: Field;
  operator: string;
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  const kind = operators[operator]?.value ?? 'one';
  const label = t('Value of {title}', { title: field.title });
  if (kind === 'none') return null;
  if (kind === 'range') return <RangeValue label={label} value={value} onChange={onChange} />;
  const format = field.shape.format ?? field.shape.items?.format;
  if (field.key === '$team' || format === 'team')
    return <TeamValue label={label} kind={kind} value={value} onChange={onChange} isOwner={field.key === '$team'} />;
  if (field.source === 'relation')
    return <EntitiesValue label={label} blueprint={field.target ?? ''} value={value} onChange={onChange} />;
  const options = field.shape.enum ?? field.shape.items?.enum;
  if (options) return <ChoiceValue label={label} kind={kind} options={options} value={value} onChange={onChange} />;
  if (field.shape.type === 'boolean') {
    return (
      <Select
        aria-label={label}
        data={[
          { value: 'true', label: t('Yes') },
          { value: 'false', label: t('No') },
        ]}
        value={value === undefined ? null : String(value)}
        onChange={(chosen) => onChange(chosen === null ? undefined : chosen === 'true')}
        allowDeselect={false}
      />
    );
  }
  const isNumber = field.shape.type === 'number' || field.shape.items?.type === 'number';
  if (kind === 'list') {
    return (
      <TagsInput
        aria-label={label}
        placeholder={t('Enter after each')}
        value={Array.isArray(value) ? value.map(String) : []}
        onChange={(list) => onChange(isNumber ? list.map(Number).filter((each) => !Number.isNaN(each)) : list)}
      />
    );
  }
  if (isNumber) {
    return (
      <NumberInput
        aria-label={label}
        value={typeof value === 'number' ? value : ''}
        onChange={(typed) => onChange(typed === '' ? undefined : Number(typed))}
      />
    );
  }
  if (format === 'date-time') {
    return (
      <TextInput
        type="datetime-local"
        aria-label={label}
        value={toLocalTime(value)}
        onChange={({ currentTarget }) => onChange(toMoment(currentTarget.value))}
      />
    );
  }
  return (
    <TextInput
      aria-label={label}
      value={typeof value === 'string' ? value : ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** The moment of such a text; undefined for what is none yet. */
export function toMoment(local: string): string | undefined {
  const moment = new Date(local);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}

/** A timestamp in the format of the browser's date input, in local time. */
export function toLocalTime(value: unknown): string {
  const moment = new Date(String(value ?? ''));
  if (Number.isNaN(moment.getTime())) return '';
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

type ValueProps = { label: string; value: unknown; onChange: (value: unknown) => void };

function RangeValue({ label, value, onChange }: ValueProps) {
  const { preset, from, to } = (value ?? {}) as { preset?: string; from?: string; to?: string };
  const [isOwn, setOwn] = useState(from !== undefined);
  const start = (now: Date) => new Date(now.getTime() - 7 * 86_400_000).toISOString();
  return (
    <>
      <Select
        aria-label={label}
        data={[...presets, { value: 'own', label: t('dates of your own') }]}
        value={isOwn ? 'own' : (preset ?? null)}
        allowDeselect={false}
        onChange={(chosen) => {
          setOwn(chosen === 'own');
          const now = new Date();
          onChange(chosen === 'own' ? { from: start(now), to: now.toISOString() } : { preset: chosen });
        }}
      />
      {isOwn && (
        <>
          <TextInput
            type="datetime-local"
            aria-label={t('From')}
            value={toLocalTime(from)}
            onChange={({ currentTarget }) => onChange({ from: toMoment(currentTarget.value) ?? from, to })}
          />
          <TextInput
            type="datetime-local"
            aria-label={t('To')}
            value={toLocalTime(to)}
            onChange={({ currentTarget }) => onChange({ from, to: toMoment(currentTarget.value) ?? to })}
          />
        </>
      )}
    </>
  );
}

function ChoiceValue({
  label,
  kind,
  options,
  value,
  onChange,
}: ValueProps & { kind: string; options: readonly (string | number)[] }) {
  const back = (text: string) => options.find((each) => String(each) === text) ?? text;
  const data = options.map(String);
  if (kind === 'list') {
    return (
      <MultiSelect
        aria-label={label}
        data={data}
        value={Array.isArray(value) ? value.map(String) : []}
        onChange={(chosen) => onChange(chosen.map(back))}
        searchable
      />
    );
  }
  return (
    <Select
      aria-label={label}
      data={data}
      value={value === undefined ? null : String(value)}
      onChange={(chosen) => onChange(chosen === null ? undefined : back(chosen))}
      searchable
    />
  );
}

function TeamValue({ label, kind, value, onChange, isOwner }: ValueProps & { kind: string; isOwner: boolean }) {
  const { teams, entityForm, ruleForm } = useTeams();
  const form = isOwner ? ruleForm : entityForm;
  const known = teams.map((team) => ({ value: form(team), label: team.name }));
  const data = [...(isOwner ? [{ value: 'My Teams', label: t('My teams') }] : []), ...known].filter(
    ({ value: each }, index, all) => all.findIndex((other) => other.value === each) === index,
  );
  if (kind !== 'list')
    return (
      <Select
        aria-label={label}
        data={data}
        searchable
        value={typeof value === 'string' ? value : null}
        onChange={(chosen) => onChange(chosen ?? undefined)}
      />
    );
  return (
    <MultiSelect
      aria-label={label}
      data={data}
      searchable
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={onChange}
    />
  );
}

/** Picks entities of a blueprint by title; the server searches. */
function EntitiesValue({ label, blueprint, value, onChange }: ValueProps & { blueprint: string }) {
  const [text, setText] = useState('');
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const found = useRead(
    'searchBlueprintEntities',
    {
      params: { blueprint_identifier: blueprint },
      body: {
        limit: 30,
        include: ['$title', '$identifier'],
        ...(text
          ? {
              query: {
                combinator: 'and' as const,
                rules: [{ property: '$title', operator: 'contains' as const, value: text }],
              },
            }
          : {}),
      },
    },
    { keepsPrevious: true },
  );
  const data = (found.data?.entities ?? []).map(({ identifier = '', title }) => ({
    value: identifier,
    label: title || identifier,
  }));
  const others = chosen.filter((each) => !data.some(({ value: known }) => known === each));
  return (
    <MultiSelect
      aria-label={label}
      data={[...data, ...others.map((each) => ({ value: each, label: each }))]}
      value={chosen}
      onChange={onChange}
      searchable
      onSearchChange={setText}
      filter={({ options }) => options}
      nothingFoundMessage={t('No matches')}
    />
  );
}
