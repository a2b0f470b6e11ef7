import { splitStatements } from '../db/split-statements.ts';

/** What a migration locks that others use: the table, what it keeps others from doing, and for how long at most. */
export interface TableLock {
  readonly table: string;
  readonly keepsOut: 'everybody' | 'writers' | 'changes of the schema';
}

const table = '(?:if exists )?(?:only )?(\\w+)';
const kinds: readonly (readonly [pattern: RegExp, keepsOut: TableLock['keepsOut']])[] = [
  [new RegExp(`^(?:alter|drop|truncate) table ${table}`), 'everybody'],
  [/^create (?:unique )?index concurrently (?:if not exists )?(?:\w+ )?on (?:only )?(\w+)/, 'changes of the schema'],
  [/^create (?:unique )?index (?!concurrently)(?:if not exists )?(?:\w+ )?on (?:only )?(\w+)/, 'writers'],
  [/^create (?:or replace )?(?:constraint )?trigger .*? on (\w+)/, 'writers'],
  [/\breferences (\w+)/, 'writers'],
];

/** The locks of a file on tables that it does not make itself, by what its statements are: an estimate for people. */
export function listTableLocks(text: string): readonly TableLock[] {
  const statements = splitStatements(text);
  const made = new Set(statements.flatMap((each) => /^create table (?:if not exists )?(\w+)/.exec(each)?.[1] ?? []));
  const locks = statements.flatMap((statement) =>
    kinds.flatMap(([pattern, keepsOut]) => {
      const name = pattern.exec(statement)?.[1];
      return name === undefined || made.has(name) ? [] : [{ table: name, keepsOut }];
    }),
  );
  return locks.filter(
    (lock, index) => locks.findIndex((one) => one.table === lock.table && one.keepsOut === lock.keepsOut) === index,
  );
}
