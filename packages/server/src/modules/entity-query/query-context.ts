import type { SearchQuery } from '@portolan/contract/search-query';
import type { Clock } from '../../platform/clock.ts';
import type { Reader } from '../../platform/db/database.ts';
import type { CompileContext } from './compile-context.ts';
import type { Slot } from './operand.sql.ts';

export interface SearchDeps {
  readonly database: Reader;
  readonly clock: Clock;
  /** Called for each value that searches compare or sort by. */
  readonly noteUse?: ((orgId: string, blueprintKey: number, slot: Slot) => void) | undefined;
}

/** Whether a rule follows relations to other entities. */
export function walks(query: SearchQuery): boolean {
  return query.rules.some((rule) => {
    if ('combinator' in rule) return walks(rule);
    if ('relation' in rule) return rule.targetProperty === '$title';
    return 'operator' in rule && (rule.operator === 'relatedTo' || rule.operator === 'matchAny');
  });
}

/** `labels.key` is hidden if `labels` is. */
export function withInner(hidden: ReadonlySet<string> | undefined): CompileContext['hidden'] {
  return hidden && { has: (name) => hidden.has(name.split('.', 1)[0] as string) };
}

/** Whether a rule may name the caller; a false positive costs a look-up and nothing else. */
export function namesCaller(query: SearchQuery): boolean {
  const text = JSON.stringify(query);
  return text.includes('"context"') || text.includes('getUser');
}
