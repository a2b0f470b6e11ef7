import { splitStatements } from '../db/split-statements.ts';

/** A table of which a migration writes much: an index of it, or all of it. */
export interface TableWrite {
  readonly table: string;
  readonly what: 'index' | 'rows';
}

const alter = 'alter table (?:if exists )?(?:only )?(\\w+) .*?';
const kinds: readonly (readonly [pattern: RegExp, what: TableWrite['what']])[] = [
  [/^create (?:unique )?index (?:concurrently )?(?:if not exists )?(?:\w+ )?on (?:only )?(\w+)/, 'index'],
  [new RegExp(`^${alter}\\badd (?:constraint \\w+ )?(?:primary key|unique|exclude)\\b(?! using index)`), 'index'],
  [new RegExp(`^${alter}\\balter (?:column )?\\w+ (?:set data )?type\\b`), 'rows'],
  // a value that each row has its own of
  [new RegExp(`^${alter}\\badd (?:column )?(?:if not exists )?\\w+ [^,]*(?:generated|default \\w+ ?\\()`), 'rows'],
  [/^update (?:only )?(\w+)/, 'rows'],
];

/** What a file rewrites of tables that it does not create itself, by what its statements are: an estimate for people. */
export function listTableWrites(text: string): readonly TableWrite[] {
  const statements = splitStatements(text);
  const made = new Set(statements.flatMap((each) => /^create table (?:if not exists )?(\w+)/.exec(each)?.[1] ?? []));
  return statements.flatMap((statement) => {
    const [found] = kinds.flatMap(([pattern, what]) => {
      const table = pattern.exec(statement)?.[1];
      return table === undefined || made.has(table) ? [] : [{ table, what }];
    });
    return found ?? [];
  });
}
