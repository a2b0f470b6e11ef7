import { describe, expect, test } from 'vitest';
import {
  countUncheckedReads,
  fileSizeFindings,
  linkFindings,
  nameFindings,
  objectCheckFindings,
  sqlFindings,
  suppressionFindings,
  surroundingsFindings,
  untimedFindings,
  writeGateFindings,
} from './lib/source-rules.ts';

const path = 'packages/server/src/platform/a.ts';

describe('a suppression', () => {
  test.each([
    '// biome-ignore lint/suspicious/noConsole: ',
    '/* oxlint-disable */',
    '/* eslint-disable */',
    '// eslint-disable-next-line no-console',
    '// oxlint-disable-next-line no-console',
    '// dependency-cruiser-disable',
    '// @ts-ignore because of the library',
    '// @ts-expect-error',
  ])('%s is found', (text) => {
    expect(suppressionFindings({ path, text })).toHaveLength(1);
  });

  test.each([
    '// biome-ignore lint/suspicious/noConsole: the one line that is printed before there is a log',
    '// oxlint-disable-next-line no-floating-promises -- ends with the process',
    "// @ts-expect-error the library's types lack the option",
    'const pattern = 1;',
  ])('%s passes', (text) => {
    expect(suppressionFindings({ path, text })).toEqual([]);
  });
});

describe('the size of a file', () => {
  const file = (lines: number) => ({ path, text: 'x\n'.repeat(lines) });

  test('is not mentioned up to 300 lines', () => {
    expect(fileSizeFindings([file(300)])).toEqual({ errors: [], warnings: [] });
  });

  test('is a warning from 301 lines and an error from 501', () => {
    expect(fileSizeFindings([file(301)]).warnings).toHaveLength(1);
    expect(fileSizeFindings([file(500)]).errors).toHaveLength(0);
    expect(fileSizeFindings([file(501)]).errors).toHaveLength(1);
  });
});

describe('reading the environment', () => {
  test.each([
    ['packages/server/src/platform/a.ts', 'const a = process.env;'],
    ['packages/server/src/main.ts', 'const a = process.env.PORT;'],
    ['packages/server/src/main.ts', "const a = process.env['PORT'];"],
    ['packages/server/src/app.ts', "console.log('x')"],
  ])('%s: %s is found', (path, text) => {
    expect(surroundingsFindings({ path, text })).toHaveLength(1);
  });

  test.each([
    ['packages/server/src/config.ts', 'const a = process.env.PORT;'],
    ['packages/server/src/main.ts', 'readConfig(process.env, process.cwd());'],
    ['packages/server/src/platform/a.ts', 'execFile(file, [], { env: { ...process.env } });'],
    ['packages/cli/src/main.ts', "console.log('x')"],
  ])('%s: %s passes', (path, text) => {
    expect(surroundingsFindings({ path, text })).toEqual([]);
  });
});

describe('deciding about a write of entities', () => {
  const modules = 'packages/server/src/modules';

  test.each([
    ["import { canOn } from '../rights/index.ts';"],
    ["import { type Subject, authorise as allow } from '../rights/index.ts';"],
    ["import {\n  can,\n  canUpdatePart,\n  forbidden,\n} from '../rights/index.ts';"],
    ["import { isVisible, satisfiedGrants } from '../access/index.ts';"],
    ["export { hiddenEntityKeys } from '../access/index.ts';"],
  ])('outside the gate is found: %s', (text) => {
    const [finding] = writeGateFindings({ path: `${modules}/entities/delete-entities.ts`, text });
    expect(finding).toContain('access/permit-entity-write.ts');
  });

  test.each([
    ['access/permit-entity-write.ts', "import { canOn } from '../rights/index.ts';"],
    ['policies/personal-check.ts', "import { isVisible } from '../access/index.ts';"],
    ['entities/delete-entities.ts', "import { can, forbidden } from '../rights/index.ts';"],
  ])('%s passes', (file, text) => {
    expect(writeGateFindings({ path: `${modules}/${file}`, text })).toEqual([]);
  });
});

describe('evaluating an expression', () => {
  const file = 'packages/server/src/modules/workflows/nodes/kinds/repeat.ts';

  test.each([
    "import { compileExpression } from '../../../../platform/expressions.ts';",
    "import {\n  type JqValue,\n  compile as read,\n} from '@portolan/jq';",
  ])('without a time is found: %s', (text) => {
    expect(untimedFindings({ path: file, text })).toHaveLength(1);
  });

  test.each([
    [file, "import { firstOutput } from '../../../../platform/expressions.ts';"],
    ['packages/server/src/modules/derived/calculation.ts', "import { compileExpression } from '../../expressions.ts';"],
    ['packages/portal/src/parts/try.ts', "import { compile } from '@portolan/jq';"],
  ])('passes: %s: %s', (path, text) => {
    expect(untimedFindings({ path, text })).toEqual([]);
  });
});

describe('an object told by hand', () => {
  const byHand = "return typeof value === 'object' && value !== null && !Array.isArray(value);";

  test.each([byHand, "if (typeof a.b !== 'object' || a.b === null || Array.isArray(a.b)) return;"])(
    '%s is found',
    (text) => {
      expect(objectCheckFindings({ path, text })).toHaveLength(1);
    },
  );

  test.each([
    ['packages/contract/src/json-value.ts', byHand],
    ['packages/jq/src/value/value.ts', byHand],
    [path, "if (typeof value !== 'object' || value === null) return value;"],
  ])('%s: %s passes', (at, text) => {
    expect(objectCheckFindings({ path: at, text })).toEqual([]);
  });
});

describe('a name', () => {
  test.each(['export function titleOf(team: Team): string {', 'export const keyOf = (row: Row) => row.key;'])(
    '%s is found',
    (text) => {
      expect(nameFindings({ path, text })).toHaveLength(1);
    },
  );

  test.each(['export function oneOf(values: readonly string[]): Reader {', 'function titleOf(team: Team): string {'])(
    '%s passes',
    (text) => {
      expect(nameFindings({ path, text })).toEqual([]);
    },
  );
});

describe('a link', () => {
  test('whose address is not checked is found', () => {
    expect(linkFindings({ path, text: '<Anchor component={Link} to="/nowhere">' })).toHaveLength(1);
  });

  test.each(['<AnchorLink to="/">', '<Anchor component="a" href="/docs">'])('%s passes', (text) => {
    expect(linkFindings({ path, text })).toEqual([]);
  });
});

describe('SQL', () => {
  const statement = "import sql from 'sql-template-tag';\nsql`select 1`;";

  test.each([
    ['packages/server/src/modules/pages/write-page.ts', statement],
    ['packages/server/src/platform/jobs/jobs.ts', "import sql, { type Sql } from 'sql-template-tag';"],
    ['packages/server/src/surfaces/mcp.ts', "import {\n  join,\n} from 'sql-template-tag';"],
    ['packages/server/src/modules/pages/a.ts', "import { row } from '../../platform/db/row.ts';"],
  ])('%s: %s is found', (path, text) => {
    expect(sqlFindings({ path, text })).toHaveLength(1);
  });

  test.each([
    ['packages/server/src/modules/pages/page.store.ts', statement],
    ['packages/server/src/modules/entity-query/operand.sql.ts', statement],
    ['packages/server/src/modules/pages/pages.int.test.ts', statement],
    ['packages/server/src/platform/db/row.ts', statement],
    ['packages/server/src/modules/pages/list-pages.ts', "import type { Sql } from 'sql-template-tag';"],
  ])('%s: %s passes', (path, text) => {
    expect(sqlFindings({ path, text })).toEqual([]);
  });
});

describe('a statement that reads', () => {
  test.each([
    ['reader.rows<Team>(sql`select 1`)', 1],
    ['tx.first<{ key: string }>(statement)', 1],
    ['reader.rows(teamRow.sql`select 1`)', 0],
    ['tx.rows(sql`select pg_advisory_xact_lock(1)`)', 0],
  ])('%s counts as unchecked %i times', (text, count) => {
    expect(countUncheckedReads({ path, text })).toBe(count);
  });

  test('may have a stated type in a test', () => {
    expect(countUncheckedReads({ path: path.replace('.ts', '.int.test.ts'), text: 'rows.first<Team>(a)' })).toBe(0);
  });
});
