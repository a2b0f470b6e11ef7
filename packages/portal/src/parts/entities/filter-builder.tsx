import { ActionIcon, Button, Group, Select, Stack } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { t } from '../../kit/translate.ts';
import classes from './entities.module.css';
import type { Field } from './fields.ts';
import { FilterValue } from './filter-value.tsx';
import { firstRule } from './first-rule.ts';
import {
  completed,
  fieldOfRule,
  isQuery,
  listOperators,
  noRules,
  operators,
  type Query,
  type Rule,
  toRule,
} from './operators.ts';

/** Edits rules and groups of rules in place. */
export function FilterBuilder({
  query,
  fields,
  onChange,
  depth = 0,
}: {
  query: Query;
  fields: readonly Field[];
  onChange: (query: Query) => void;
  depth?: number;
}) {
  const { combinator, rules } = query;
  const replace = (index: number, rule: Rule | Query | undefined) =>
    onChange({ combinator, rules: rules.flatMap((each, at) => (at === index ? (rule ? [rule] : []) : [each])) });
  const added = useRef<number>(undefined);
  const isBegun = depth === 0 && rules.length === 1 && completed(query).rules.length === 0;
  return (
    <Stack gap="sm">
      {rules.length > 1 && (
        <SegmentedControl
          size="xs"
          aria-label={t('How the rules are joined')}
          data={[
            { value: 'and', label: t('All of these') },
            { value: 'or', label: t('Any of these') },
          ]}
          value={combinator}
          onChange={(chosen) => onChange({ combinator: chosen as Query['combinator'], rules })}
        />
      )}
      {rules.map((rule, index) =>
        isQuery(rule) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no name of their own
          <fieldset key={index} className={classes.group} aria-label={t('Group {value}', { value: index + 1 })}>
            <FilterBuilder query={rule} fields={fields} onChange={(inner) => replace(index, inner)} depth={depth + 1} />
            <Button mt="xs" size="compact-sm" variant="subtle" color="gray" onClick={() => replace(index, undefined)}>
              {t('Remove the group')}
            </Button>
          </fieldset>
        ) : (
          <RuleRow
            // biome-ignore lint/suspicious/noArrayIndexKey: rules have no name of their own
            key={index}
            rule={rule}
            fields={fields}
            takesFocus={added.current === index}
            isFirstInDialog={isBegun}
            onChange={(changed) => replace(index, changed)}
          />
        ),
      )}
      <Group gap="xs">
        <Button
          data-autofocus={(depth === 0 && !isBegun) || undefined}
          size="compact-sm"
          variant="default"
          leftSection={<Plus size={14} />}
          onClick={() => {
            added.current = rules.length;
            onChange({ combinator, rules: [...rules, ...firstRule(fields)] });
          }}
        >
          {t('Add a rule')}
        </Button>
        {depth < 3 && (
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => onChange({ combinator, rules: [...rules, { ...noRules, combinator: 'or' }] })}
          >
            {t('Add a group')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function RuleRow({
  rule,
  fields,
  takesFocus,
  isFirstInDialog,
  onChange,
}: {
  rule: Rule;
  fields: readonly Field[];
  takesFocus: boolean;
  /** The focus goes to its field when the dialog around it opens. */
  isFirstInDialog: boolean;
  onChange: (rule: Rule | undefined) => void;
}) {
  const field = fieldOfRule(rule, fields);
  const remove = (
    <ActionIcon size={36} aria-label={t('Remove the rule')} onClick={() => onChange(undefined)}>
      <Trash2 size={16} />
    </ActionIcon>
  );
  if (!field) {
    return (
      <div className={classes.rule}>
        <code>{JSON.stringify(rule)}</code>
        {remove}
      </div>
    );
  }
  return (
    <div className={classes.rule}>
      <Select
        aria-label={t('Property')}
        autoFocus={takesFocus}
        data-autofocus={isFirstInDialog || undefined}
        w={180}
        searchable
        allowDeselect={false}
        data={fields.map(({ key, title }) => ({ value: key, label: title }))}
        value={field.key}
        onChange={(key) => {
          const next = fields.find((each) => each.key === key);
          if (next) onChange(toRule(next, listOperators(next)[0] ?? '='));
        }}
      />
      <Select
        aria-label={t('Operator')}
        w={170}
        allowDeselect={false}
        data={listOperators(field).map((operator) => ({
          value: operator,
          label: operators[operator]?.label ?? operator,
        }))}
        value={rule.operator}
        onChange={(operator) => {
          if (!operator) return;
          const isSameKind = operators[operator]?.value === operators[rule.operator]?.value;
          onChange(toRule(field, operator, isSameKind ? rule.value : undefined));
        }}
      />
      <div style={{ width: 220 }}>
        <FilterValue
          field={field}
          operator={rule.operator}
          value={rule.value}
          onChange={(value) => onChange(toRule(field, rule.operator, value))}
        />
      </div>
      {remove}
    </div>
  );
}
