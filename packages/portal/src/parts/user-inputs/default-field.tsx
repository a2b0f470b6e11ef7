import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { t } from '../../kit/translate.ts';
import { JqField } from '../jq-field.tsx';
import type { InputFieldsProps } from './input-form.types.ts';

const chevron = <ChevronDown size={14} aria-hidden="true" />;

/** The default of an input: a value, or the result of an expression. */
export function DefaultField({
  input,
  set,
  text,
  onText,
  error,
}: InputFieldsProps & { text: string; onText: (text: string) => void; error: string | undefined }) {
  const { type } = input;
  const standard = input['default'] as { jqQuery?: unknown } | null | undefined;
  const query = typeof standard === 'object' && standard !== null ? standard.jqQuery : undefined;
  const isExpression = typeof query === 'string';
  const shared = { label: t('Default'), error };
  return (
    <>
      <NativeSelect
        label={t('The default is')}
        data={[
          { value: 'value', label: t('A value, or none') },
          { value: 'jq', label: t('What an expression gives') },
        ]}
        value={isExpression ? 'jq' : 'value'}
        onChange={({ currentTarget: { value } }) => {
          set('default', value === 'jq' ? { jqQuery: '.user.email' } : undefined);
          onText('');
        }}
        rightSection={chevron}
      />
      {isExpression ? (
        <JqField
          label={t('Default')}
          description={t('Over .form, .entity and .user')}
          placeholder=".entity.properties.owner"
          value={query}
          error={error}
          onChange={(jqQuery) => set('default', { jqQuery })}
        />
      ) : type === 'boolean' ? (
        <NativeSelect
          {...shared}
          data={[
            { value: '', label: t('None') },
            { value: 'true', label: t('Yes') },
            { value: 'false', label: t('No') },
          ]}
          value={text}
          onChange={({ currentTarget }) => onText(currentTarget.value)}
          rightSection={chevron}
        />
      ) : type === 'array' || type === 'object' ? (
        <Textarea
          {...shared}
          description={type === 'array' ? 'A list as JSON, such as ["one", "two"]' : t('An object as JSON')}
          autosize
          value={text}
          onChange={({ currentTarget }) => onText(currentTarget.value)}
        />
      ) : (
        <TextInput {...shared} value={text} onChange={({ currentTarget }) => onText(currentTarget.value)} />
      )}
    </>
  );
}
