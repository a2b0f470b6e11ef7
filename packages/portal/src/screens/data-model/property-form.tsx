import { Button, Checkbox, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../kit/translate.ts';
import { type EnumChoice, EnumChoices } from '../../parts/enum-choices.tsx';
import {
  formatChoices,
  type PropertyType,
  readValue,
  specChoices,
  typeChoices,
  valueText,
} from '../../parts/property-kinds.ts';
import type { Property } from './blueprint-draft.ts';
import { KeyField, useKey } from './key-field.tsx';

interface Fields {
  readonly title: string;
  readonly description: string;
  readonly type: PropertyType;
  readonly format: string;
  readonly spec: string;
  readonly itemType: PropertyType;
  readonly itemFormat: string;
  readonly standard: string;
  readonly choices: readonly EnumChoice[];
}

/** The dialog for a property; keys unknown to the form are kept. */
export function PropertyForm({
  initialKey,
  initial,
  isRequired,
  isSaved,
  taken,
  onClose,
  onDone,
}: {
  initialKey: string | undefined;
  initial: Property | undefined;
  isRequired: boolean;
  /** Whether entities may hold values, in which case the type is fixed. */
  isSaved: boolean;
  taken: ReadonlySet<string>;
  onClose: () => void;
  onDone: (key: string, property: Property, isRequired: boolean) => void;
}) {
  const [required, setRequired] = useState(isRequired);
  const [problem, setProblem] = useState<{ readonly field: 'standard' | 'choices'; readonly text: string }>();
  const [fields, setFields] = useState<Fields>(() => toFields(initial));
  const set = (part: Partial<Fields>) => setFields((before) => ({ ...before, ...part }));
  const key = useKey(initialKey, fields.title, taken);
  const { type, format } = fields;
  const isList = type === 'array';
  const valueType = isList ? fields.itemType : type;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const built = buildProperty(fields, initial);
    if ('field' in built) return setProblem(built);
    onDone(key.key, built.property, required);
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={initialKey === undefined ? t('Add property') : t('Edit {title}', { title: initial?.title ?? initialKey })}
      size="lg"
      closeOnClickOutside={false}
    >
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('Title')}
            maxLength={100}
            data-autofocus
            value={fields.title}
            onChange={({ currentTarget }) => set({ title: currentTarget.value })}
          />
          <KeyField of={key} />
          <Group grow align="flex-start">
            <Select
              label={t('Type')}
              data={[...typeChoices]}
              value={type}
              allowDeselect={false}
              disabled={isSaved}
              description={isSaved ? t('Cannot change. Add another property and migrate the data.') : undefined}
              onChange={(value) => set({ type: value as PropertyType, format: '', spec: '', itemFormat: '' })}
            />
            {isList && (
              <Select
                label={t('Each item is')}
                data={typeChoices.filter(({ value }) => value !== 'array')}
                value={fields.itemType}
                allowDeselect={false}
                onChange={(value) => set({ itemType: value as PropertyType, itemFormat: '' })}
              />
            )}
            {formatChoices(valueType).length > 0 && (
              <Select
                label={t('Format')}
                data={[{ value: '', label: t('Plain') }, ...formatChoices(valueType)]}
                value={isList ? fields.itemFormat : format}
                allowDeselect={false}
                onChange={(value) => set(isList ? { itemFormat: value ?? '' } : { format: value ?? '' })}
              />
            )}
          </Group>
          {((type === 'string' && ['', 'url', 'yaml'].includes(format)) || type === 'object') && (
            <Select
              label={t('Shown as')}
              description={t('For texts, links and objects that describe an interface or a page')}
              data={[{ value: '', label: t('As it is') }, ...specChoices]}
              value={fields.spec}
              allowDeselect={false}
              onChange={(value) => set({ spec: value ?? '' })}
            />
          )}
          {(valueType === 'string' || valueType === 'number') && !isList && (
            <EnumChoices
              choices={fields.choices}
              onChange={(choices) => set({ choices })}
              problem={problem?.field === 'choices' ? problem.text : undefined}
            />
          )}
          {type === 'boolean' ? (
            <Select
              label={t('Default')}
              data={[
                { value: '', label: t('None') },
                { value: 'true', label: t('Yes') },
                { value: 'false', label: t('No') },
              ]}
              value={fields.standard}
              allowDeselect={false}
              onChange={(value) => set({ standard: value ?? '' })}
            />
          ) : (
            <TextInput
              label={t('Default')}
              description={
                type === 'array' || type === 'object' ? t('As JSON') : t('What a new entity has unless told')
              }
              value={fields.standard}
              error={problem?.field === 'standard' ? problem.text : undefined}
              onChange={({ currentTarget }) => set({ standard: currentTarget.value })}
            />
          )}
          <Textarea
            label={t('Description')}
            autosize
            minRows={2}
            value={fields.description}
            onChange={({ currentTarget }) => set({ description: currentTarget.value })}
          />
          <Checkbox
            label={t('Every entity must have it')}
            checked={required}
            onChange={({ currentTarget }) => setRequired(currentTarget.checked)}
          />
          <Text size="sm" c="dimmed">
            {t('Patterns, lengths and bounds are on the JSON tab.')}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" disabled={!key.isUsable}>
              {initialKey === undefined ? t('Add') : t('Apply')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function toFields(initial: Property | undefined): Fields {
  const items = (initial?.items ?? {}) as { type?: PropertyType; format?: string };
  return {
    title: initial?.title ?? '',
    description: initial?.description ?? '',
    type: initial?.type ?? 'string',
    format: initial?.format ?? '',
    spec: initial?.spec ?? '',
    itemType: items.type ?? 'string',
    itemFormat: items.format ?? '',
    standard: valueText(initial?.default),
    choices: (initial?.enum ?? []).map((value) => ({
      value: String(value),
      colour: initial?.enumColors?.[String(value)] ?? 'lightGray',
    })),
  };
}

type BuiltProperty =
  | { readonly property: Property }
  | { readonly field: 'standard' | 'choices'; readonly text: string };

function buildProperty(fields: Fields, initial: Property | undefined): BuiltProperty {
  const { title, description, type, format, spec, itemType, itemFormat, choices } = fields;
  const property: Record<string, unknown> = { ...initial, type };
  const put = (name: string, value: unknown) => {
    if (value === undefined || value === '') delete property[name];
    else property[name] = value;
  };
  put('title', title.trim());
  put('description', description.trim());
  put('format', type === 'array' ? undefined : format);
  put('spec', spec);
  if (type === 'array') {
    const { format: old, ...kept } = initial?.items ?? {};
    property['items'] = { ...kept, type: itemType, ...(itemFormat === '' ? {} : { format: itemFormat }) };
  } else put('items', undefined);
  const named = choices.filter(({ value }) => value.trim() !== '');
  if (new Set(named.map(({ value }) => value.trim())).size < named.length) {
    return { field: 'choices', text: t('Two choices are the same') };
  }
  try {
    const isChoice = (type === 'string' || type === 'number') && named.length > 0;
    put('enum', isChoice ? named.map(({ value }) => readValue(value.trim(), type)) : undefined);
    put(
      'enumColors',
      isChoice ? Object.fromEntries(named.map(({ value, colour }) => [value.trim(), colour])) : undefined,
    );
  } catch (error) {
    return { field: 'choices', text: t('Every choice {message}', { message: (error as Error).message }) };
  }
  try {
    put('default', readValue(fields.standard, type));
  } catch (error) {
    return { field: 'standard', text: t('The default {message}', { message: (error as Error).message }) };
  }
  return { property: property as Property };
}
