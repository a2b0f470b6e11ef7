import { splitStatements } from '../../packages/server/src/platform/db/split-statements.ts';

/** Tables that grow with what an organization does: a lock or a scan of one of these is noticed. */
export const largeTables = [
  'action_run_logs',
  'action_runs',
  'ai_charges',
  'ai_usage',
  'entities',
  'entity_relations',
  'event_deliveries',
  'integration_logs',
  'invocation_egress',
  'invocation_events',
  'invocation_receipts',
  'invocations',
  'jobs',
  'journal',
  'scorecard_entities',
  'source_items',
  'webhook_deliveries',
];

/**
 * What a migration does that a running release of before could notice, or that would make statements wait: everything that
 * takes away stands in files that contract, and what scans a large table is done beside its writers.
 */
export function migrationFindings({ path, text }: { readonly path: string; readonly text: string }): string[] {
  const phase = /^-- phase: (?:(expand)|contract after \d+\.\d+\.\d+\S*)\n/.exec(text);
  if (!phase) return [`${path}: begin with "-- phase: expand" or "-- phase: contract after 1.2.3"`];
  const isExpand = phase[1] !== undefined;
  const statements = splitStatements(text);
  const made = new Set(statements.flatMap((each) => /^create table (?:if not exists )?(\w+)/.exec(each)?.[1] ?? []));
  const found: string[] = [];
  for (const statement of statements) {
    for (const [name, says] of Object.entries(rules)) {
      if (name === 'contracts' && !isExpand) continue;
      const problem = says({ statement, made, isOnly: statements.length === 1 });
      if (problem) found.push(`${path}: ${problem}: ${statement.slice(0, 80)}`);
    }
  }
  return found;
}

interface Looked {
  readonly statement: string;
  /** Tables that the same file makes: nobody uses them yet. */
  readonly made: ReadonlySet<string>;
  readonly isOnly: boolean;
}

const rules: Readonly<Record<string, (looked: Looked) => string | undefined>> = {
  contracts: ({ statement, made }) => {
    if (/^drop (?!index concurrently)/.test(statement)) return 'dropping belongs into a file that contracts';
    const table = changedTable(statement);
    if (table === undefined || made.has(table)) return undefined;
    if (/\brename\b/.test(statement)) return 'renaming belongs into a file that contracts';
    if (
      /\bdrop (?:column|constraint|default|identity|expression)\b|\bdrop if exists\b/.test(withoutReplaced(statement))
    )
      return 'dropping belongs into a file that contracts';
    if (/\bset not null\b/.test(statement)) return '"set not null" belongs into a file that contracts';
    if (/\balter (?:column )?\w+ (?:set data )?type\b/.test(statement))
      return 'changing a type belongs into a file that contracts';
    for (const added of statement.split(',')) {
      const isColumn = /\badd (?!constraint|primary|unique|check|foreign|exclude)/.test(added);
      if (isColumn && /\bnot null\b/.test(added) && !/\bdefault\b|\bgenerated\b/.test(added))
        return 'a column that must have a value needs a default: a release of before writes none';
    }
    return undefined;
  },
  index: ({ statement, made, isOnly }) => {
    const index = /^create (?:unique )?index (concurrently )?(if not exists )?(?:\w+ )?on (?:only )?(\w+)/.exec(
      statement,
    );
    if (index) {
      const [, isBeside, isRepeatable, table = ''] = index;
      if (!isBeside) {
        return largeTables.includes(table) && !made.has(table)
          ? 'an index of a large table is built concurrently, in a file of its own'
          : undefined;
      }
      if (!isRepeatable) return 'a build that broke off is done again: say "if not exists" and name the index';
    }
    if (/\bconcurrently\b/.test(statement) && !isOnly) return 'what is done concurrently is alone in its file';
    return undefined;
  },
  constraint: ({ statement, made }) => {
    const table = changedTable(statement);
    if (table === undefined || made.has(table) || !largeTables.includes(table)) return undefined;
    const isAdded = /\badd (?:constraint \w+ )?(?:check|foreign key)\b/.test(statement);
    if (isAdded && !/\bnot valid\b/.test(statement))
      return 'a constraint of a large table is added as "not valid" and validated afterwards';
    const isUnique =
      /\badd (?:constraint \w+ )?(?:unique|primary key)\b/.test(statement) && !/\busing index\b/.test(statement);
    return isUnique ? 'a unique constraint of a large table uses an index that was built concurrently' : undefined;
  },
};

/** A check that the same statement puts back under its name only admits more: nobody who runs notices. */
function withoutReplaced(statement: string): string {
  return statement.replaceAll(/\bdrop constraint (\w+)/g, (dropped, name: string) =>
    new RegExp(`\\badd constraint ${name} check\\b`).test(statement) ? '' : dropped,
  );
}

function changedTable(statement: string): string | undefined {
  return /^alter table (?:if exists )?(?:only )?(\w+)/.exec(statement)?.[1];
}
