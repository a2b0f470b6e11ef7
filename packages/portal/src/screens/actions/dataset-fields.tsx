import { Group, Select, TextInput } from '@mantine/core';
import { isRecord } from '@portolan/contract/json-value';
import { BlueprintSelect } from '../../parts/blueprint-select.tsx';
import { StructuredField } from '../../parts/structured-field.tsx';
import type { InputFieldsProps } from './input-form.types.ts';
import { blueprintOfInput } from './input-kinds.ts';

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
        label="Entities of"
        value={blueprintOfInput(input)}
        error={error}
        onChange={(blueprint) =>
          isList ? set('items', { ...input.items, blueprint }) : set('blueprint', blueprint || undefined)
        }
      />
      <StructuredField
        language="json"
        label="Only those that fit"
        description='A query as JSON, such as {"combinator": "and", "rules": [{"property": "tier", "operator": "=", "value": {"jqQuery": ".form.tier"}}]}'
        value={dataset}
        onProblem={onProblem}
        onChange={(value) => set('dataset', isRecord(value) ? value : undefined)}
      />
      <Group grow align="flex-start">
        <TextInput
          label="Sorted by"
          placeholder="$title"
          value={sort?.property ?? ''}
          onChange={({ currentTarget: { value } }) =>
            set('sort', value === '' ? undefined : { order: sort?.order ?? 'ASC', property: value })
          }
        />
        {sort && (
          <Select
            label="Order"
            data={[
              { value: 'ASC', label: 'Rising' },
              { value: 'DESC', label: 'Falling' },
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
