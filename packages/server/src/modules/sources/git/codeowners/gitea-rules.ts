import { JqError } from '@portolan/jq';
import { compilePattern, type SafePattern } from '../../../../platform/safe-pattern.ts';
import type { Codeowners, CodeownersEntry, CodeownersFault } from './codeowners.ts';
import { readWords } from './read-words.ts';

interface Rule extends CodeownersEntry {
  readonly isNegated: boolean;
  readonly expression: SafePattern;
}

/** Gitea and Forgejo: patterns are regular expressions of the whole path, `!` negates, and every match counts. */
export function parseGitea(lines: readonly string[]): Codeowners {
  const rules: Rule[] = [];
  const faults: CodeownersFault[] = [];
  for (const [index, text] of lines.entries()) {
    const line = index + 1;
    const [pattern, ...owners] = readWords(text);
    if (pattern === undefined) continue;
    if (owners.length === 0) {
      faults.push({ line, message: 'The line names no owner; the host skips it' });
      continue;
    }
    const isNegated = pattern.startsWith('!');
    try {
      const expression = compilePattern(`^(?:${isNegated ? pattern.slice(1) : pattern})$`);
      rules.push({ line, pattern, owners, isNegated, expression });
    } catch (error) {
      if (!(error instanceof JqError)) throw error;
      faults.push({ line, message: `"${pattern}" is no regular expression: ${error.message}` });
    }
  }
  return {
    entries: rules.map(({ line, pattern, owners }) => ({ line, pattern, owners })),
    faults,
    cost: rules.reduce((sum, { pattern }) => sum + pattern.length, 0),
    ownersOf: (path) => {
      const matching = rules.filter(({ isNegated, expression }) => expression.test(path) !== isNegated);
      return [...new Set(matching.flatMap(({ owners }) => owners))];
    },
  };
}
