import { Button } from '@mantine/core';
import { X } from 'lucide-react';
import classes from './entities.module.css';
import type { Field } from './fields.ts';
import { isQuery, type Query, type Rule, ruleText } from './operators.ts';
import { useTeams } from './team-form.ts';

/** The rules of the active filter, each removable by a click. */
export function FilterChips({
  query,
  fields,
  onChange,
  onReset,
}: {
  query: Query | undefined;
  fields: readonly Field[];
  onChange: (query: Query | undefined) => void;
  onReset?: () => void;
}) {
  const { nameOf } = useTeams();
  if (!query || query.rules.length === 0) {
    return onReset ? (
      <div className={classes.filters}>
        <Button size="compact-sm" variant="subtle" onClick={onReset}>
          Back to the view of the page
        </Button>
      </div>
    ) : null;
  }
  const words = (value: unknown, field: Field) =>
    field.key === '$team' || field.shape.format === 'team'
      ? nameOf(String(value))
      : typeof value === 'boolean'
        ? value
          ? 'yes'
          : 'no'
        : String(value);
  const textOf = (rule: Rule | Query): string =>
    isQuery(rule)
      ? rule.rules.map(textOf).join(rule.combinator === 'and' ? ' and ' : ' or ')
      : ruleText(rule, fields, words);
  const remove = (index: number) => {
    const rules = query.rules.filter((_, at) => at !== index);
    onChange(rules.length === 0 ? undefined : { ...query, rules });
  };
  return (
    <fieldset className={classes.filters} aria-label="Filters">
      {query.rules.map((rule, index) => {
        const text = textOf(rule);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no name of their own
          <span key={index} className={classes.filterChip}>
            <span className={classes.filterText}>
              {index > 0 && query.combinator === 'or' ? 'or ' : ''}
              {text}
            </span>
            <button type="button" aria-label={`Remove the filter ${text}`} onClick={() => remove(index)}>
              <X size={13} aria-hidden="true" />
            </button>
          </span>
        );
      })}
      <Button size="compact-sm" variant="subtle" onClick={() => onChange(undefined)}>
        Clear filters
      </Button>
      {onReset && (
        <Button size="compact-sm" variant="subtle" color="gray" onClick={onReset}>
          Back to the view of the page
        </Button>
      )}
    </fieldset>
  );
}
