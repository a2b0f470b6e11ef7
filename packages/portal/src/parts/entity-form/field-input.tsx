import { Checkbox, Input, MultiSelect, NumberInput, Select, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CodeEditor } from '../../kit/code-editor.tsx';
import { t } from '../../kit/translate.ts';
import type { Field, FieldShape } from '../entities/fields.ts';
import { toLocalTime } from '../entities/filter-value.tsx';
import { isSame, Unreadable } from './form-values.ts';
import { EntityPicker, PersonPicker, TeamPicker } from './pickers.tsx';

export interface FieldInputProps {
  readonly field: Field;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly error?: string | undefined;
}

/** The input for one value, by type and format. */
export function FieldInput({ field, value, onChange, error }: FieldInputProps) {
  const { shape, title, isRequired } = field;
  const common = {
    label: title,
    ...(shape.description ? { description: shape.description } : {}),
    withAsterisk: isRequired,
    error: error ? `${title} ${error}` : undefined,
  };
  const text = typeof value === 'string' ? value : '';
  const list = Array.isArray(value) ? value.map(String) : [];
  if (field.source === 'relation') {
    return (
      <EntityPicker
        {...common}
        blueprint={field.target ?? ''}
        isMany={field.isMany ?? false}
        value={value}
        onChange={onChange}
      />
    );
  }
  if (field.key === '$team') return <TeamPicker {...common} isMany value={value} onChange={onChange} />;
  if (shape.type === 'array') {
    const items: FieldShape = shape.items ?? {};
    if (items.format === 'team') return <TeamPicker {...common} isMany value={value} onChange={onChange} />;
    if (items.format === 'user') return <PersonPicker {...common} isMany value={value} onChange={onChange} />;
    if (items.enum) {
      const back = (chosen: string) => items.enum?.find((each) => String(each) === chosen) ?? chosen;
      return (
        <MultiSelect
          {...common}
          data={items.enum.map(String)}
          value={list}
          searchable
          clearable
          onChange={(chosen) => onChange(chosen.map(back))}
        />
      );
    }
    if (items.type === undefined || items.type === 'object' || items.type === 'array' || items.format === 'labeled-url')
      return <JsonInput {...common} value={value} onChange={onChange} />;
    const read = (each: string): unknown =>
      items.type === 'number' ? Number(each) : items.type === 'boolean' ? each === 'true' : each;
    return (
      <TagsInput
        {...common}
        value={list}
        allowDuplicates={shape['uniqueItems'] !== true}
        splitChars={[]}
        placeholder={t('Enter after each')}
        onChange={(typed) => onChange(typed.map(read).filter((each) => !Number.isNaN(each)))}
      />
    );
  }
  if (shape.enum) {
    const back = (chosen: string | null) => shape.enum?.find((each) => String(each) === chosen) ?? null;
    return (
      <Select
        {...common}
        data={shape.enum.map(String)}
        value={value === null || value === undefined ? null : String(value)}
        searchable
        clearable={!isRequired}
        onChange={(chosen) => onChange(back(chosen))}
      />
    );
  }
  if (shape.type === 'boolean') return <TruthInput {...common} value={value} onChange={onChange} />;
  if (shape.type === 'number') {
    return (
      <NumberInput
        {...common}
        value={typeof value === 'number' ? value : ''}
        onChange={(typed) => onChange(typed === '' ? null : Number(typed))}
      />
    );
  }
  if (shape.type === 'object') {
    return shape.format === 'labeled-url' ? (
      <LabeledUrl {...common} value={value} onChange={onChange} />
    ) : (
      <JsonInput {...common} value={value} onChange={onChange} />
    );
  }
  switch (shape.format) {
    case 'user':
      return <PersonPicker {...common} isMany={false} value={value} onChange={onChange} />;
    case 'team':
      return <TeamPicker {...common} isMany={false} value={value} onChange={onChange} />;
    case 'date-time':
    case 'timer':
      return (
        <TextInput
          {...common}
          type="datetime-local"
          value={toLocalTime(value)}
          onChange={({ currentTarget }) => onChange(toMoment(currentTarget.value))}
        />
      );
    case 'markdown':
    case 'yaml':
    case 'proto':
      return (
        <Input.Wrapper {...common} labelElement="div">
          <CodeEditor
            label={title}
            language={shape.format === 'proto' ? 'text' : shape.format}
            value={text}
            onChange={onChange}
          />
        </Input.Wrapper>
      );
    default: {
      const props = {
        ...common,
        value: text,
        onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
      };
      if (text.length > 80 || text.includes('\n')) return <Textarea {...props} autosize minRows={2} maxRows={10} />;
      return <TextInput {...props} {...(shape.format === 'url' ? { type: 'url', placeholder: 'https://' } : {})} />;
    }
  }
}

type Common = {
  label: string;
  description?: string;
  withAsterisk: boolean;
  error?: string | undefined;
  value: unknown;
  onChange: (value: unknown) => void;
};

function toMoment(local: string): string | null {
  const moment = new Date(local);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

function TruthInput({ label, description, error, withAsterisk, value, onChange }: Common) {
  const isUnset = value === null || value === undefined;
  return (
    <Checkbox
      label={withAsterisk ? `${label} *` : label}
      description={[description, isUnset ? t('Not set yet.') : undefined].filter(Boolean).join(' ') || undefined}
      error={error}
      checked={value === true}
      indeterminate={isUnset}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}

function JsonInput({ value, onChange, ...common }: Common) {
  // kept beside the value: a different spelling of the same value must not move the caret
  const [typed, setTyped] = useState<string>();
  const written =
    value instanceof Unreadable
      ? value.text
      : value === null || value === undefined
        ? ''
        : JSON.stringify(value, null, 2);
  const isOwn = typed !== undefined && isSame(readJson(typed), value);
  return (
    <Input.Wrapper {...common} labelElement="div">
      <CodeEditor
        label={`${common.label}, JSON`}
        language="json"
        minHeight={80}
        maxHeight={320}
        value={isOwn ? typed : written}
        onChange={(text) => {
          setTyped(text);
          onChange(readJson(text));
        }}
      />
    </Input.Wrapper>
  );
}

function readJson(typed: string): unknown {
  if (typed.trim() === '') return null;
  try {
    return JSON.parse(typed) as unknown;
  } catch {
    return new Unreadable(typed);
  }
}

function LabeledUrl({ value, onChange, label, description, withAsterisk, error }: Common) {
  const { url = '', displayText = '' } = (value ?? {}) as { url?: string; displayText?: string };
  const change = (part: object) => {
    const next = { url, displayText, ...part };
    onChange(
      next.url === '' && next.displayText === ''
        ? null
        : { url: next.url, ...(next.displayText ? { displayText: next.displayText } : {}) },
    );
  };
  return (
    <Input.Wrapper label={label} description={description} withAsterisk={withAsterisk} error={error} labelElement="div">
      <TextInput
        aria-label={t('{label}, address', { label })}
        type="url"
        placeholder="https://"
        value={url}
        onChange={({ currentTarget }) => change({ url: currentTarget.value })}
        mb={4}
      />
      <TextInput
        aria-label={t('{label}, text shown', { label })}
        placeholder={t('Text shown')}
        value={displayText}
        onChange={({ currentTarget }) => change({ displayText: currentTarget.value })}
      />
    </Input.Wrapper>
  );
}
