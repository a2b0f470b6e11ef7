import { Button, Group, Select, Stack } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { t } from '../../kit/translate.ts';
import type { Field } from '../entities/fields.ts';
import { FilterValue } from '../entities/filter-value.tsx';
import { fieldOfRule, isComplete, listOperators, operators, type Rule, toRule } from '../entities/operators.ts';

/** Picks a property and its values. What is picked applies at once; what is typed, when the typing rests. */
export function FilterPicker({
  fields,
  rule: given,
  onChange,
  onDone,
}: {
  fields: readonly Field[];
  rule: Rule | undefined;
  onChange: (rule: Rule) => void;
  onDone: () => void;
}) {
  const [rule, setRule] = useState(given);
  const field = rule && fieldOfRule(rule, fields);
  const send = useDebouncedCallback(onChange, { delay: 300, flushOnUnmount: true });
  const write = (next: Rule) => {
    setRule(next);
    if (isComplete(next)) send(next);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onDone();
      }}
    >
      <Stack gap="sm">
        <Select
          label={t('Property')}
          limit={100}
          data-autofocus
          searchable
          allowDeselect={false}
          data={fields.map(({ key, title }) => ({ value: key, label: title }))}
          value={field?.key ?? null}
          onChange={(key) => {
            const next = fields.find((each) => each.key === key);
            if (next) write(toRule(next, listOperators(next)[0] ?? '='));
          }}
        />
        {rule && field && (
          <>
            <Select
              label={t('Operator')}
              allowDeselect={false}
              data={listOperators(field).map((operator) => ({
                value: operator,
                label: operators[operator]?.label ?? operator,
              }))}
              value={rule.operator}
              onChange={(operator) => {
                if (!operator) return;
                const isSameKind = operators[operator]?.value === operators[rule.operator]?.value;
                write(toRule(field, operator, isSameKind ? rule.value : undefined));
              }}
            />
            <FilterValue
              key={`${field.key} ${rule.operator}`}
              field={field}
              operator={rule.operator}
              value={rule.value}
              onChange={(value) => write(toRule(field, rule.operator, value))}
            />
          </>
        )}
        <Group gap="xs" justify="flex-end">
          <Button size="compact-sm" type="submit">
            {t('Done')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
