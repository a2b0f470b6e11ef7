import { useMemo } from 'react';
import { t } from '../../kit/translate.ts';
import type { Field } from '../entities/fields.ts';
import { useRuleText } from '../entities/filter-chips.tsx';
import { fieldOfRule, type Rule } from '../entities/operators.ts';
import { useTeams } from '../entities/team-form.ts';
import { titleKey, useTitles } from '../entities/titles.ts';

/** How the filters of a page read: "Lifecycle: production" for values, words for other rules. */
export function useRuleWords(rules: readonly Rule[], fields: readonly Field[]): (rule: Rule) => string {
  const textOf = useRuleText(fields);
  const { nameOf } = useTeams();
  const wanted = useMemo(
    () =>
      rules.flatMap((rule) => {
        const target = fieldOfRule(rule, fields)?.target;
        return target === undefined ? [] : [{ blueprint: target, identifiers: listValues(rule).map(String) }];
      }),
    [rules, fields],
  );
  const titles = useTitles(wanted);
  const nameValue = (value: unknown, field: Field): string => {
    if (field.target !== undefined) return titles.get(titleKey(field.target, String(value))) ?? String(value);
    if (field.key === '$team' || field.shape.format === 'team') return nameOf(String(value));
    return typeof value === 'boolean' ? (value ? t('Yes') : t('No')) : String(value);
  };
  return (rule) => {
    const field = fieldOfRule(rule, fields);
    if (!field) return t('{relation}: not on this page', { relation: rule.relation ?? rule.property });
    if (!['=', 'in', 'containsAny'].includes(rule.operator)) return textOf(rule);
    const [first, second, ...others] = listValues(rule).map((each) => nameValue(each, field));
    const values = [first, second].filter((each) => each !== undefined).join(', ');
    return others.length > 0 ? `${field.title}: ${values} +${others.length}` : `${field.title}: ${values}`;
  };
}

function listValues({ value }: Rule): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}
