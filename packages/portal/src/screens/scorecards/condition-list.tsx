import { ActionIcon, Button, Select, Stack } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { t } from '../../kit/translate.ts';
import type { Field } from '../../parts/entities/fields.ts';
import { operators } from '../../parts/entities/operators.ts';
import { ConditionValue } from './condition-value.tsx';
import {
  type Condition,
  type ConditionGroup,
  findField,
  isUnnamed,
  scorecardOperators,
  toCondition,
} from './conditions.ts';
import classes from './scorecards.module.css';

/** Edits the conditions of a rule or a filter in place. */
export function ConditionList({
  group,
  fields,
  onChange,
  isFocused = false,
}: {
  group: ConditionGroup;
  fields: readonly Field[];
  onChange: (group: ConditionGroup) => void;
  isFocused?: boolean;
}) {
  const { combinator, conditions } = group;
  const replace = (index: number, condition: Condition | undefined) =>
    onChange({
      combinator,
      conditions: conditions.flatMap((each, at) => (at === index ? (condition ? [condition] : []) : [each])),
    });
  return (
    <Stack gap="sm">
      {conditions.length > 1 && (
        <SegmentedControl
          size="xs"
          aria-label={t('How the conditions are joined')}
          data={[
            { value: 'and', label: t('All of these') },
            { value: 'or', label: t('Any of these') },
          ]}
          value={combinator}
          onChange={(chosen) => onChange({ combinator: chosen as ConditionGroup['combinator'], conditions })}
        />
      )}
      {conditions.map((condition, index) => (
        <Row
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no name of their own
          key={index}
          condition={condition}
          fields={fields}
          isFocused={isFocused && index === 0}
          onChange={(changed) => replace(index, changed)}
        />
      ))}
      <Button
        w="fit-content"
        size="compact-sm"
        variant="default"
        leftSection={<Plus size={14} aria-hidden="true" />}
        onClick={() => onChange({ combinator, conditions: [...conditions, { operator: 'isNotEmpty' }] })}
      >
        {t('Add condition')}
      </Button>
    </Stack>
  );
}

function Row({
  condition,
  fields,
  isFocused,
  onChange,
}: {
  condition: Condition;
  fields: readonly Field[];
  isFocused: boolean;
  onChange: (condition: Condition | undefined) => void;
}) {
  const field = findField(condition, fields);
  const remove = (
    <ActionIcon size={36} aria-label={t('Remove condition')} onClick={() => onChange(undefined)}>
      <Trash2 size={16} aria-hidden="true" />
    </ActionIcon>
  );
  if (!field && !isUnnamed(condition)) {
    return (
      <div className={classes.condition}>
        <code className={classes.written}>{JSON.stringify(condition)}</code>
        {remove}
      </div>
    );
  }
  return (
    <div className={classes.condition}>
      <Select
        aria-label={t('Property')}
        placeholder={t('Choose a property')}
        className={classes.property ?? ''}
        data-autofocus={isFocused || undefined}
        autoFocus={isFocused}
        searchable
        allowDeselect={false}
        data={fields.map(({ key, title }) => ({ value: key, label: title }))}
        value={field?.key ?? null}
        onChange={(key) => {
          const next = fields.find((each) => each.key === key);
          if (next) onChange(toCondition(next, scorecardOperators(next)[0] as string));
        }}
      />
      {field && (
        <>
          <Select
            aria-label={t('Operator')}
            className={classes.operator ?? ''}
            allowDeselect={false}
            data={scorecardOperators(field).map((operator) => ({
              value: operator,
              label: operators[operator]?.label ?? operator,
            }))}
            value={condition.operator}
            onChange={(operator) => {
              if (!operator) return;
              const isSameKind = operators[operator]?.value === operators[condition.operator]?.value;
              onChange(toCondition(field, operator, isSameKind ? condition.value : undefined));
            }}
          />
          {operators[condition.operator]?.value !== 'none' && (
            <div className={classes.value}>
              <ConditionValue
                field={field}
                operator={condition.operator}
                value={condition.value}
                onChange={(value) => onChange(toCondition(field, condition.operator, value))}
              />
            </div>
          )}
        </>
      )}
      {remove}
    </div>
  );
}
