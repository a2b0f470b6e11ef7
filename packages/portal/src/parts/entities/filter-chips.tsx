import { Button } from '@mantine/core';
import { Lock, X } from 'lucide-react';
import { t } from '../../kit/translate.ts';
import classes from './entities.module.css';
import type { Field } from './fields.ts';
import { completed, fieldOfRule, isQuery, noRules, type Query, type Rule, ruleText } from './operators.ts';
import { useTeams } from './team-form.ts';

/** How a rule or a group of rules reads, with the names of teams. */
export function useRuleText(fields: readonly Field[]): (rule: Rule | Query) => string {
  const { nameOf } = useTeams();
  const words = (value: unknown, field: Field) => {
    if (field.key === '$team' || field.shape.format === 'team') return nameOf(String(value));
    return typeof value === 'boolean' ? (value ? t('yes') : t('no')) : String(value);
  };
  const textOf = (rule: Rule | Query): string => {
    if (isQuery(rule)) return rule.rules.map(textOf).join(` ${rule.combinator === 'and' ? t('and') : t('or')} `);
    return fieldOfRule(rule, fields) ? ruleText(rule, fields, words) : t('a rule of the page');
  };
  return textOf;
}

/** The rules of a query and of those that only join others. */
function flat(query: Query | undefined): readonly (Rule | Query)[] {
  if (!query) return [];
  if (query.combinator === 'or') return query.rules.length > 0 ? [query] : [];
  return query.rules.flatMap((rule) => (isQuery(rule) ? flat(rule) : [rule]));
}

interface ChipsProps {
  readonly query: Query | undefined;
  /** What the page restricts the table to, which only its editors change. */
  readonly locked?: Query | undefined;
  readonly fields: readonly Field[];
  /** The search, which "Clear filters" ends too. */
  readonly text: string;
  readonly ignored: readonly string[];
  readonly onChange: (query: Query | undefined) => void;
  readonly onClear: () => void;
  readonly onReset: (() => void) | undefined;
}

/** What narrows the table: the filter of the page, the active rules, each removable by a click. */
export function FilterChips({ query, locked, fields, text, ignored, onChange, onClear, onReset }: ChipsProps) {
  const textOf = useRuleText(fields);
  const rules = query?.rules ?? [];
  const isNarrowed = completed(query ?? noRules).rules.length > 0 || text !== '';
  const fixed = flat(locked);
  if (!isNarrowed && fixed.length === 0 && !onReset) return null;
  const remove = (index: number) => {
    const others = rules.filter((_, at) => at !== index);
    onChange(others.length === 0 || !query ? undefined : { ...query, rules: others });
  };
  return (
    <fieldset className={classes.filters} aria-label={t('Filters')}>
      {fixed.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have no name of their own
        <span key={`fixed ${index}`} className={classes.filterChip} data-is-locked title={t('Filter of this page')}>
          <Lock size={12} aria-hidden="true" />
          <span className="visually-hidden">{t('Filter of this page:')}</span>
          <span className={classes.filterText}>{textOf(rule)}</span>
        </span>
      ))}
      {rules.map((rule, index) => {
        if (completed({ combinator: 'and', rules: [rule] }).rules.length < 1) return null;
        const words = textOf(rule);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no name of their own
          <span key={index} className={classes.filterChip}>
            <span className={classes.filterText}>
              {index > 0 && query?.combinator === 'or' ? `${t('or')} ` : ''}
              {words}
            </span>
            <button type="button" aria-label={t('Remove the filter {words}', { words })} onClick={() => remove(index)}>
              <X size={13} aria-hidden="true" />
            </button>
          </span>
        );
      })}
      {isNarrowed && (
        <Button size="compact-sm" variant="subtle" onClick={onClear}>
          {t('Clear filters')}
        </Button>
      )}
      {onReset && (
        <Button size="compact-sm" variant="subtle" color="gray" onClick={onReset}>
          {t("Reset to the page's view")}
        </Button>
      )}
      {ignored.length > 0 && (
        <span role="status" className={classes.ignored}>
          {t('Not applied, because this type does not have it: {ignored}{word}', {
            ignored: ignored.slice(0, 5).join(', '),
            word: ignored.length > 5 ? ` ${t('and {value} more', { value: ignored.length - 5 })}` : '',
          })}
        </span>
      )}
    </fieldset>
  );
}
