import { createSafeRegex } from '@portolan/jq';
import { plural, t } from '../../kit/translate.ts';

/** The tools that a pattern selects, matched like on the server: anchored at the start of the name only. */
export type PatternMatch =
  | { readonly names: readonly string[] }
  /** Not a regular expression. */
  | { readonly problem: string }
  /** Only the server can evaluate it. */
  | { readonly untried: string };

/** Patterns may come from other users, so they only run in linear time here, or not at all. */
export function matchPattern(pattern: string, names: readonly string[]): PatternMatch {
  if (pattern.length > 1000) return { problem: t('it is longer than 1,000 characters') };
  try {
    // validate the bare pattern first: wrapping could complete an unbalanced one
    createSafeRegex(pattern);
    const regex = createSafeRegex(`^(?:${pattern})`);
    return { names: names.filter((name) => regex.test(name)) };
  } catch (error) {
    const { name, message } = error as Error;
    return name === 'JqRefusedError' || name === 'JqBudgetError' ? { untried: message } : { problem: message };
  }
}

/** A summary in words: `Reads only`, `Reads and 3 actions`. */
export function inWords(patterns: readonly string[], names: readonly string[]): string {
  const selected = new Set(
    patterns.flatMap((pattern) => {
      const match = matchPattern(pattern, names);
      return 'names' in match ? match.names : [];
    }),
  );
  const actions = [...selected].filter((name) => name.startsWith('run_')).length;
  if (selected.size === 0) return patterns.length === 0 ? t('No tools') : t('None that you have');
  const reads = selected.size - actions;
  const acting = plural(actions, '{count} action', '{count} actions');
  if (actions === 0) return plural(reads, '{count} tool, reads only', '{count} tools, reads only');
  return reads === 0 ? acting : t('{reads} reads, {acting}', { reads, acting });
}
