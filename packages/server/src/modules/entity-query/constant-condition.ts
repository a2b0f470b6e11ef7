import type { ValueRule } from './value-condition.sql.ts';

/** A rule on a constant text: the blueprint's identifier. */
export function constantCondition(text: string, { operator, value }: ValueRule): boolean {
  const list = Array.isArray(value) ? value : [value];
  const texts = list.filter((each) => typeof each === 'string');
  const lower = text.toLowerCase();
  const [first] = Array.isArray(value) ? [] : texts;
  switch (operator) {
    case '=':
      return first === text;
    case '!=':
      return first !== text;
    case 'in':
    case 'containsAny':
      return texts.includes(text);
    case 'notIn':
      return !texts.includes(text);
    case 'contains':
      return texts.some((each) => lower.includes(each.toLowerCase()));
    case 'doesNotContains':
      return !texts.some((each) => lower.includes(each.toLowerCase()));
    case 'beginsWith':
      return first !== undefined && lower.startsWith(first.toLowerCase());
    case 'doesNotBeginsWith':
      return first === undefined || !lower.startsWith(first.toLowerCase());
    case 'endsWith':
      return first !== undefined && lower.endsWith(first.toLowerCase());
    case 'doesNotEndsWith':
      return first === undefined || !lower.endsWith(first.toLowerCase());
    default:
      return operator === 'isNotEmpty' || operator === 'notBetween';
  }
}
