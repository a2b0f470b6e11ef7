import { Group, Select, TextInput } from '@mantine/core';
import { isRecord } from '@portolan/contract/json-value';
import { t } from '../../kit/translate.ts';
import { BlueprintSelect } from '../blueprint-select.tsx';
import { StructuredField } from '../structured-field.tsx';
import type { InputFieldsProps } from './input-form.types.ts';
import { blueprintOfInput } from './input-kinds.ts';

const example =
  '{"combinator": "and", "rules": [{"property": "tier", "operator": "=", "value": {"jqQuery": ".form.tier"}}]}';

/** Which entities can be chosen, and their order. */
export function DatasetFields({
  input,
  set,
  error,
  onProblem,
}: InputFieldsProps & { error: string | undefined; onProblem: (problem: string | undefined) => void }) {
  const { sort, dataset } = input;
  const isList = input.type === 'array';
  return (
    <>
      <BlueprintSelect
        label={t('Entities of')}
        value={blueprintOfInput(input)}
        error={error}
        onChange={(blueprint) =>
          isList ? set('items', { ...input.items, blueprint }) : set('blueprint', blueprint || undefined)
        }
      />
      <StructuredField
        language="json"
        label={t('Only those that fit')}
        description={t('A query as JSON, such as {example}', { example })}
        value={dataset}
        onProblem={onProblem}
        onChange={(value) => set('dataset', isRecord(value) ? value : undefined)}
      />
      <Group grow align="flex-start">
        <TextInput
          label={t('Sorted by')}
          placeholder="$title"
          value={sort?.property ?? ''}
          onChange={({ currentTarget: { value } }) =>
            set('sort', value === '' ? undefined : { order: sort?.order ?? 'ASC', property: value })
          }
        />
        {sort && (
          <Select
            label={t('Order')}
            data={[
              { value: 'ASC', label: t('Rising') },
              { value: 'DESC', label: t('Falling') },
            ]}
            value={sort.order}
            allowDeselect={false}
            onChange={(order) => set('sort', { ...sort, order })}
          />
        )}
      </Group>
    </>
  );
}
