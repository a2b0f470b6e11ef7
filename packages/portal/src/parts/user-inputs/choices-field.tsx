import { NativeSelect } from '@mantine/core';
import { isRecord } from '@portolan/contract/json-value';
import { ChevronDown } from 'lucide-react';
import { t } from '../../kit/translate.ts';
import { type EnumChoice, EnumChoices } from '../enum-choices.tsx';
import { JqField } from '../jq-field.tsx';
import type { InputFieldsProps } from './input-form.types.ts';

/** The allowed values of an input: any, a list, or the result of an expression. */
export function ChoicesField({ input, set, error }: InputFieldsProps & { error: string | undefined }) {
  const { enum: choices } = input;
  const query = isRecord(choices) ? (choices as { jqQuery?: unknown }).jqQuery : undefined;
  const colours = (isRecord(input['enumColors']) ? input['enumColors'] : {}) as Readonly<Record<string, string>>;
  const listed = Array.isArray(choices) ? choices.map(String) : [];
  const write = (next: readonly EnumChoice[]) => {
    set('enum', next.length > 0 ? next.map(({ value }) => value) : undefined);
    set(
      'enumColors',
      next.length > 0 ? Object.fromEntries(next.map(({ value, colour }) => [value, colour])) : undefined,
    );
  };
  return (
    <>
      <NativeSelect
        label={t('Accepts')}
        data={[
          { value: 'list', label: t('Anything, or one of these choices') },
          { value: 'jq', label: t('One of those an expression gives') },
        ]}
        value={typeof query === 'string' ? 'jq' : 'list'}
        onChange={({ currentTarget: { value } }) => {
          set('enum', value === 'jq' ? { jqQuery: '["one", "two"]' } : undefined);
          set('enumColors', undefined);
        }}
        rightSection={<ChevronDown size={14} aria-hidden="true" />}
      />
      {typeof query === 'string' ? (
        <JqField
          label={t('Choices')}
          description={t('A list, over .form, .entity and .user')}
          placeholder='if .form.isBig then ["l", "xl"] else ["s"] end'
          value={query}
          error={error}
          onChange={(jqQuery) => set('enum', { jqQuery })}
        />
      ) : (
        <EnumChoices
          choices={listed.map((value) => ({ value, colour: colours[value] ?? 'lightGray' }))}
          problem={error}
          onChange={write}
        />
      )}
    </>
  );
}
