import { compileToolPattern } from './tools/tool-patterns.ts';

/** Compiles a user's pattern to a test that looks anywhere in the subject and cannot run away. @throws for an invalid one */
export function compilePattern(pattern: string): { test(subject: string): boolean } {
  const matches = compileToolPattern(`[\\s\\S]*?(?:${pattern})`);
  return { test: matches };
}
