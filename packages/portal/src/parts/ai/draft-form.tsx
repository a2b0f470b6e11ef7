import { Button, Group, PasswordInput, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../kit/translate.ts';
import { type DraftField, editedText, readText } from './draft-inputs.ts';

/** Edits the inputs of a draft run. Encrypted inputs are never shown and have to be typed again. */
export function DraftForm({
  fields,
  properties,
  isBusy,
  onSave,
  onCancel,
}: {
  fields: readonly DraftField[];
  properties: Readonly<Record<string, unknown>>;
  isBusy: boolean;
  onSave: (properties: Readonly<Record<string, unknown>>) => Promise<void>;
  onCancel: () => void;
}) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(fields.map(({ key, isSecret }) => [key, isSecret ? '' : editedText(properties[key])])),
  );
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const write = (key: string, text: string) => setTexts((before) => ({ ...before, [key]: text }));
  const save = () => {
    const values: Record<string, unknown> = {};
    const problems: Record<string, string> = {};
    for (const { key, type } of fields) {
      try {
        const value = readText(texts[key] ?? '', type);
        if (value !== undefined) values[key] = value;
      } catch {
        problems[key] = t('This is not a value of the type {type}', { type });
      }
    }
    setErrors(problems);
    if (Object.keys(problems).length === 0) void onSave(values);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack gap="xs">
        {fields.map(({ key, title, type, isSecret, isRequired }) => {
          const shared = {
            label: title,
            size: 'xs',
            withAsterisk: isRequired,
            value: texts[key] ?? '',
            error: errors[key],
          } as const;
          return isSecret ? (
            <PasswordInput
              key={key}
              {...shared}
              description={t('Encrypted. Enter it again')}
              onChange={({ currentTarget }) => write(key, currentTarget.value)}
            />
          ) : (
            <Textarea
              key={key}
              {...shared}
              autosize
              maxRows={8}
              {...(type === 'string' ? {} : { description: t('As JSON: {type}', { type }) })}
              onChange={({ currentTarget }) => write(key, currentTarget.value)}
            />
          );
        })}
        <Group gap="xs">
          <Button size="xs" type="submit" loading={isBusy}>
            {t('Save the inputs')}
          </Button>
          <Button size="xs" variant="default" onClick={onCancel}>
            {t('Cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
