import type { Equivalent } from './report.ts';

/**
 * Mutants that no test can kill because nothing they change can be noticed. `before` and `after` are the lines as
 * `npm run mutate` prints them; an entry that fits no mutant any more fails the run.
 */
export const equivalents: readonly Equivalent[] = [
  {
    file: 'packages/server/src/modules/identity/rights.ts',
    before: 'return isAdmin(actor) || decide(actor, grantsBehind(verb, blueprint), subject) !== undefined;',
    after: 'return decide(actor, grantsBehind(verb, blueprint), subject) !== undefined;',
    reason: 'The decision itself asks first whether the actor is an administrator; asking before is for speed.',
  },
  {
    file: 'packages/server/src/platform/http/sse.ts',
    before: "return text.includes('\\n') ? text.replaceAll('\\n', '\\ndata: ') : text;",
    after: "return true ? text.replaceAll('\\n', '\\ndata: ') : text;",
    reason: 'Without a line break there is nothing to replace; asking first is for speed.',
  },
  {
    file: 'packages/server/src/platform/scopes.ts',
    before: 'if (actor.scopes === undefined || scope === null) return undefined;',
    after: 'if (scope === null) return undefined;',
    reason: 'Without scopes everything is covered, so nothing is found to be missing.',
  },
];
