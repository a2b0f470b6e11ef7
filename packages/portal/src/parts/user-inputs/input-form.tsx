import { Button, Checkbox, Group, MultiSelect, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { ActionInput, UserInputs } from '@portolan/contract/action-inputs';
import { isRecord } from '@portolan/contract/json-value';
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { withKey } from '../../kit/json-value.ts';
import { t } from '../../kit/translate.ts';
import { type PropertyType, readValue, typeChoices, valueText } from '../property-kinds.ts';
import { ChoicesField } from './choices-field.tsx';
import { DatasetFields } from './dataset-fields.tsx';
import { DefaultField } from './default-field.tsx';
import {
  formatOfInput,
  inputFormats,
  inputKeyFor,
  inputKeyProblem,
  inputValueType,
  withFormat,
  withType,
} from './input-kinds.ts';
import { LimitFields } from './limit-fields.tsx';
import { Visibility } from './visibility.tsx';

/** The dialog for an input; keys unknown to the form are kept. */
export function InputForm({
  form,
  initialKey,
  taken,
  onClose,
  onDone,
}: {
  form: UserInputs;
  initialKey: string | undefined;
  taken: ReadonlySet<string>;
  onClose: () => void;
  onDone: (key: string, input: ActionInput, isRequired: boolean) => void;
}) {
  const before = initialKey === undefined ? undefined : form.properties[initialKey];
  const [input, setInput] = useState<ActionInput>(before ?? { type: 'string', title: '' });
  const [standard, setStandard] = useState(() => valueText(before?.['default']));
  const [typedKey, setTypedKey] = useState(initialKey);
  const [isRequired, setRequired] = useState(
    Array.isArray(form.required) && initialKey !== undefined && form.required.includes(initialKey),
  );
  const [problems, setProblems] = useState<Readonly<Record<string, string | undefined>>>({});
  const key = typedKey ?? inputKeyFor(input.title ?? '', taken);
  const set = (name: string, value: unknown) => setInput((now) => withKey({ ...now }, name, value) as ActionInput);
  const { type } = input;
  const valueType = inputValueType(input);
  const isEntity = formatOfInput(input) === 'entity';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const found = { ...problems, key: inputKeyProblem(key, initialKey, taken), ...findProblems(input, standard) };
    setProblems(found);
    if (Object.values(found).some((problem) => problem !== undefined)) return;
    onDone(key, withDefault(input, standard), isRequired);
  };
  const others = Object.keys(form.properties).filter((each) => each !== initialKey);
  return (
    <Dialog
      opened
      onClose={onClose}
      title={initialKey === undefined ? t('Add input') : t('Edit {title}', { title: before?.title || initialKey })}
      size="lg"
      closeOnClickOutside={false}
    >
      <form onSubmit={submit} noValidate aria-label={t('Input')}>
        <Stack>
          <TextInput
            label={t('Title')}
            data-autofocus
            value={input.title ?? ''}
            onChange={({ currentTarget }) => set('title', currentTarget.value)}
          />
          <TextInput
            label={t('Key')}
            description={
              initialKey === undefined
                ? t('What expressions and templates call it: .form and .inputs hold it')
                : t('Expressions and templates that name the old key have to be changed by hand')
            }
            value={key}
            error={problems['key']}
            onChange={({ currentTarget }) => setTypedKey(currentTarget.value)}
          />
          <Group grow align="flex-start" preventGrowOverflow={false}>
            <Select
              label={t('Type')}
              data={[...typeChoices]}
              value={type}
              allowDeselect={false}
              onChange={(next) => {
                setInput(withType(input, next as PropertyType));
                setStandard('');
              }}
            />
            {type === 'array' && (
              <Select
                label={t('Each item is')}
                data={typeChoices.filter(({ value }) => value !== 'array')}
                value={valueType}
                allowDeselect={false}
                onChange={(next) => set('items', { type: next })}
              />
            )}
            {(valueType === 'string' || valueType === 'object') && (
              <Select
                label={t('Format')}
                searchable
                data={inputFormats(valueType, formatOfInput(input))}
                value={formatOfInput(input)}
                allowDeselect={false}
                onChange={(next) => setInput(withFormat(input, next ?? ''))}
              />
            )}
          </Group>
          {isEntity && (
            <DatasetFields
              input={input}
              set={set}
              error={problems['blueprint']}
              onProblem={(said) => setProblems((now) => ({ ...now, dataset: said }))}
            />
          )}
          <Textarea
            label={t('Description')}
            autosize
            minRows={2}
            value={input.description ?? ''}
            onChange={({ currentTarget }) => set('description', currentTarget.value || undefined)}
          />
          {Array.isArray(form.required ?? []) ? (
            <Checkbox
              label={t('Required')}
              checked={isRequired}
              onChange={({ currentTarget }) => setRequired(currentTarget.checked)}
            />
          ) : (
            <Text size="sm" c="dimmed">
              {t('An expression says which inputs are required; it stands below the inputs.')}
            </Text>
          )}
          {(type === 'string' || type === 'number') && !isEntity && (
            <ChoicesField input={input} set={set} error={problems['enum']} />
          )}
          <DefaultField input={input} set={set} text={standard} onText={setStandard} error={problems['default']} />
          <Visibility label={t('Visible')} value={input.visible} onChange={(visible) => set('visible', visible)} />
          <Visibility
            label={t('Read-only')}
            standard={false}
            value={input.disabled}
            onChange={(disabled) => set('disabled', disabled)}
          />
          <MultiSelect
            label={t('Depends on')}
            description={t('When one of these changes, it goes back to its default')}
            data={[...new Set([...others, ...(input.dependsOn ?? [])])]}
            value={[...(input.dependsOn ?? [])]}
            onChange={(keys) => set('dependsOn', keys.length > 0 ? keys : undefined)}
          />
          <LimitFields input={input} set={set} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit">{initialKey === undefined ? t('Add') : t('Apply')}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Problems that prevent saving an input, by field. */
function findProblems(input: ActionInput, standard: string): Readonly<Record<string, string | undefined>> {
  const { enum: choices } = input;
  const named = Array.isArray(choices) ? choices.map((each) => String(each).trim()).filter((each) => each !== '') : [];
  let unread: string | undefined;
  try {
    if (!isComputed(input)) readValue(standard, input.type);
  } catch (error) {
    unread = t('The default {message}', { message: (error as Error).message });
  }
  const blueprint = input.type === 'array' ? (input.items?.['blueprint'] ?? input.blueprint) : input.blueprint;
  return {
    default: unread,
    enum:
      new Set(named).size < named.length
        ? t('Two choices are the same')
        : input.type === 'number' && named.some((each) => !Number.isFinite(Number(each)))
          ? t('Every choice must be a number')
          : undefined,
    blueprint: formatOfInput(input) === 'entity' && !blueprint ? 'Choose whose entities it offers' : undefined,
  };
}

function withDefault(input: ActionInput, standard: string): ActionInput {
  const { enum: choices } = input;
  const named = Array.isArray(choices) ? choices.filter((each) => String(each).trim() !== '') : undefined;
  const written = named && (input.type === 'number' ? named.map(Number) : named);
  const typed = written ? withKey({ ...input }, 'enum', written.length > 0 ? written : undefined) : { ...input };
  if (isComputed(input)) return typed as ActionInput;
  return withKey(typed, 'default', readValue(standard, input.type)) as ActionInput;
}

/** Whether an expression computes the default. */
function isComputed(input: ActionInput): boolean {
  const standard = input['default'];
  return isRecord(standard) && 'jqQuery' in standard;
}
