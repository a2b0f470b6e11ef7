import { NumberInput, Select, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core';
import type { ActionInput } from '@portolan/contract/action-inputs';
import { isRecord } from '@portolan/contract/json-value';
import { t } from '../../kit/translate.ts';
import { IconSelect } from '../icon-select.tsx';
import { JqField } from '../jq-field.tsx';
import type { InputFieldsProps } from './input-form.types.ts';
import { formatOfInput } from './input-kinds.ts';

const bounds: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  string: [
    ['minLength', t('Characters at least')],
    ['maxLength', t('Characters at most')],
  ],
  number: [
    ['minimum', t('At least')],
    ['maximum', t('At most')],
  ],
  array: [
    ['minItems', t('Items at least')],
    ['maxItems', t('Items at most')],
  ],
};

/** Limits and encryption of a value; folded until one is set, since they are rare. */
export function LimitFields({ input, set }: InputFieldsProps) {
  const { type } = input;
  const isPlain = type === 'string' && !['entity', 'user', 'team', 'date-time', 'timer'].includes(formatOfInput(input));
  const isSet = ['pattern', 'encryption', 'icon', ...(bounds[type] ?? []).map(([key]) => key)].some(
    (key) => input[key] !== undefined && input[key] !== null,
  );
  const shown = type === 'string' && !isPlain ? [] : (bounds[type] ?? []);
  return (
    <details open={isSet}>
      <summary>{t('Limits, encryption, icon')}</summary>
      <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs">
        {shown.map(([key, label]) => (
          <Bound key={key} name={key} label={label} input={input} set={set} />
        ))}
        {isPlain && <Pattern input={input} set={set} />}
        <IconSelect value={input.icon} onChange={(icon) => set('icon', icon)} />
        {(isPlain || type === 'object') && <Encryption input={input} set={set} />}
      </SimpleGrid>
    </details>
  );
}

function Bound({ name, label, input, set }: InputFieldsProps & { name: string; label: string }) {
  const value = input[name];
  const query = isRecord(value) ? value['jqQuery'] : undefined;
  if (typeof query === 'string') {
    return (
      <JqField
        label={`${label} (expression)`}
        placeholder="3"
        value={query}
        onChange={(jqQuery) => set(name, jqQuery === '' ? undefined : { jqQuery })}
      />
    );
  }
  return (
    <NumberInput
      label={label}
      value={typeof value === 'number' ? value : ''}
      onChange={(next) => set(name, next === '' ? undefined : Number(next))}
    />
  );
}

function Pattern({ input, set }: InputFieldsProps) {
  const { pattern } = input;
  if (isRecord(pattern)) {
    return (
      <JqField
        label={t('Pattern (expression)')}
        placeholder='"^[a-z]+$"'
        value={pattern.jqQuery}
        onChange={(jqQuery) => set('pattern', jqQuery === '' ? undefined : { jqQuery })}
      />
    );
  }
  return (
    <TextInput
      label={t('Pattern')}
      description={t('A regular expression that it must match')}
      placeholder="^[a-z-]+$"
      value={pattern ?? ''}
      onChange={({ currentTarget }) => set('pattern', currentTarget.value || undefined)}
    />
  );
}

const kinds = [
  { value: 'none', label: t('As it is') },
  { value: 'aes256-gcm', label: t('Encrypted by the platform') },
  { value: 'client-side', label: t('Encrypted in the browser, for the holder of a key') },
];

function Encryption({ input, set }: InputFieldsProps) {
  const { encryption } = input;
  const kind = isRecord(encryption) ? 'client-side' : (encryption ?? 'none');
  return (
    <div>
      <Select
        label={t('Kept')}
        data={kinds}
        value={kind}
        allowDeselect={false}
        onChange={(next) =>
          set('encryption', next === 'none' ? undefined : next === 'client-side' ? { algorithm: next, key: '' } : next)
        }
      />
      {isRecord(encryption) && (
        <Textarea
          mt="xs"
          label={t('Public key')}
          description={t('RSA, as PEM')}
          autosize
          maxRows={6}
          value={String((encryption as NonNullable<Exclude<ActionInput['encryption'], string>>).key)}
          onChange={({ currentTarget }) => set('encryption', { algorithm: 'client-side', key: currentTarget.value })}
        />
      )}
      {kind !== 'none' && (
        <Text size="sm" c="dimmed" mt={4}>
          {t('Nobody can read it in the portal again.')}
        </Text>
      )}
    </div>
  );
}
