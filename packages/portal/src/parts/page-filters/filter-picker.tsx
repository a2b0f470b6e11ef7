import { Button, Group, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Field } from '../entities/fields.ts';
import { FilterValue } from '../entities/filter-value.tsx';
import { fieldOfRule, isComplete, listOperators, operators, type Rule, toRule } from '../entities/operators.ts';

/** Picks a property and its values. */
export function FilterPicker({
  fields,
  rule: given,
  onApply,
  onCancel,
}: {
  fields: readonly Field[];
  rule: Rule | undefined;
  onApply: (rule: Rule) => void;
  onCancel: () => void;
}) {
  const [rule, setRule] = useState(given);
  const field = rule && fieldOfRule(rule, fields);
  const isReady = rule !== undefined && field !== undefined && isComplete(rule);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        if (isReady) onApply(rule);
      }}
    >
      <Stack gap="sm">
        <Select
          label="Property"
          data-autofocus
          searchable
          allowDeselect={false}
          data={fields.map(({ key, title }) => ({ value: key, label: title }))}
          value={field?.key ?? null}
          onChange={(key) => {
            const next = fields.find((each) => each.key === key);
            if (next) setRule(toRule(next, listOperators(next)[0] ?? '='));
          }}
        />
        {rule && field && (
          <>
            <Select
              label="Operator"
              allowDeselect={false}
              data={listOperators(field).map((operator) => ({
                value: operator,
                label: operators[operator]?.label ?? operator,
              }))}
              value={rule.operator}
              onChange={(operator) => {
                if (!operator) return;
                const isSameKind = operators[operator]?.value === operators[rule.operator]?.value;
                setRule(toRule(field, operator, isSameKind ? rule.value : undefined));
              }}
            />
            <FilterValue
              key={`${field.key} ${rule.operator}`}
              field={field}
              operator={rule.operator}
              value={rule.value}
              onChange={(value) => setRule(toRule(field, rule.operator, value))}
            />
          </>
        )}
        <Group gap="xs" justify="flex-end">
          <Button size="compact-sm" variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button size="compact-sm" type="submit" disabled={!isReady}>
            Apply filter
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
