import type { Connection, Engine } from '../src/platform/db/engine.ts';

/** An engine that remembers every distinct statement that went through it. */
export interface LoggedEngine {
  readonly engine: Engine;
  readonly statements: ReadonlySet<string>;
  /** How many statements were sent so far, not counting hints to other processes: they follow whenever they are due. */
  count(): number;
}

/** How other processes are told of changes and jobs, after the transaction and gathered. */
const hint = /^select pg_notify\(\$1, \$2\)$/;

export function logStatements(engine: Engine): LoggedEngine {
  const statements = new Set<string>();
  let count = 0;
  const logged = (connection: Connection): Connection => ({
    query: (text, values) => {
      statements.add(text);
      if (!hint.test(text)) count += 1;
      return connection.query(text, values);
    },
    script: (text) => connection.script(text),
    release: (broken) => connection.release(broken),
  });
  return {
    statements,
    count: () => count,
    engine: {
      ...engine,
      connect: async () => logged(await engine.connect()),
    },
  };
}

/** What Citus refuses, by what is wrong with the statement. */
const refusals: readonly (readonly [RegExp, string])[] = [
  [/\bfor (?:no key )?(?:update|share)\b|\bfor key share\b/, 'locks rows of all organizations'],
  [/^\s*with recursive\b/, 'recurses over all organizations'],
];
const refusalsAnywhere: readonly (readonly [RegExp, string])[] = [
  [
    /^\s*insert\b(?![\s\S]*\)\s*select\b[\s\S]*\bfrom\b)[\s\S]*\(\s*select\b/,
    'has a subquery in what it inserts or returns',
  ],
  [
    /^\s*update\b(?:(?!\b(?:from|where)\b)[\s\S])*\b(?:jsonb_build_(?:object|array)|to_jsonb)\s*\(/,
    'sets by a function that is not immutable',
  ],
  [/\bentity_keys\s*\(/, 'calls a function that reads a table'],
];

/**
 * The statements that a distributed database would refuse, each with the reason. They pass on one PostgreSQL, so that
 * nothing else fails for them. Tables of `local` lie on the coordinator, where everything is allowed.
 */
export function undistributable(
  statements: Iterable<string>,
  tenantTables: readonly string[],
  local: readonly string[],
): string[] {
  const spread = tenantTables.filter((table) => !local.includes(table));
  const mention = new RegExp(`\\b(?:from|join|into|update|using)\\s+"?(?:${spread.join('|')})"?(?![\\w])`);
  return [...statements].flatMap((text) => {
    if (!mention.test(text)) return [];
    const rules = text.includes(allowed) ? [...refusals, ...refusalsAnywhere] : refusalsAnywhere;
    return rules.filter(([pattern]) => pattern.test(text)).map(([, reason]) => `${reason}: ${text}`);
  });
}

/** The comment of a statement that is meant to look at every organization (sweeps, workers). */
const allowed = '/* all organizations */';

/**
 * The statements that touch a table of organizations without naming the organization once for every mention of such
 * a table. Rows of an insert name it in their column list.
 */
export function unboundStatements(statements: Iterable<string>, tenantTables: readonly string[]): string[] {
  const mention = new RegExp(
    `\\b(?:from|join|into|update|using|table)\\s+"?(?:${tenantTables.join('|')})"?(?![\\w])`,
    'g',
  );
  return [...statements].filter((text) => {
    const mentions = text.match(mention)?.length ?? 0;
    const bindings = text.match(/\borg_id\b/g)?.length ?? 0;
    return bindings < mentions && !text.includes(allowed);
  });
}
