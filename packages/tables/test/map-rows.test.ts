import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createReferenceResolver } from '../src/columns/resolve-references.ts';
import { type Column, type ColumnPlan, createRowMapper } from '../src/index.ts';
import type { Row } from '../src/table.ts';
import { find, service } from './blueprints.ts';
import { collect, makeTable } from './files.ts';

const plan = (columns: readonly Column[], emptyCells: ColumnPlan['emptyCells'] = 'keep'): ColumnPlan => ({
  columns,
  emptyCells,
});

/** What becomes of one cell that leads to a path. */
function cellTo(to: string, cell: Row['cells'][number], extra: Partial<Column> = {}, emptyCells?: 'keep' | 'clear') {
  const columns = [
    { heading: 'id', to: 'identifier' },
    { heading: 'x', to, ...extra },
  ];
  const mapped = createRowMapper(['id', 'x'], plan(columns, emptyCells), service)({ row: 2, cells: ['a', cell] });
  if ('problems' in mapped) return mapped.problems.map(({ column, message }) => `${column}: ${message}`).join();
  const { entity } = mapped;
  const [section, key] = to.split('.');
  const value = entity[section as 'title'] as unknown;
  return key ? (value as Record<string, unknown> | undefined)?.[key] : value;
}

describe('a cell becomes what the blueprint takes', () => {
  test.each([
    ['properties.cost', '1,234.5', {}, 1234.5],
    ['properties.cost', '1.234,5', { hasDecimalComma: true }, 1234.5],
    ['properties.cost', '-12e3', {}, -12000],
    ['properties.cost', '12 €', {}, 'x: "12 €" is no number.'],
    ['properties.cost', '12345678901234567890', {}, expect.stringContaining('more digits than a number keeps')],
    ['properties.live', 'Yes', {}, true],
    ['properties.live', '0', {}, false],
    ['properties.live', 'maybe', {}, 'x: "maybe" is neither true nor false.'],
    ['properties.since', '2026-05-31', {}, '2026-05-31T00:00:00.000Z'],
    ['properties.since', '2026-05-31 14:30:00.5+02:00', {}, '2026-05-31T12:30:00.500Z'],
    ['properties.since', '31.5.2026', {}, '2026-05-31T00:00:00.000Z'],
    ['properties.since', '04/05/2026', { dateOrder: 'dmy' }, '2026-05-04T00:00:00.000Z'],
    ['properties.since', '04/05/2026', { dateOrder: 'mdy' }, '2026-04-05T00:00:00.000Z'],
    ['properties.since', '04/05/2026', {}, expect.stringContaining('Choose the order of the column.')],
    ['properties.since', '31/02/2026', {}, 'x: "31/02/2026" is no date of the calendar.'],
    ['properties.languages', 'go; rust ;', {}, ['go', 'rust']],
    ['properties.languages', 'go, rust', {}, ['go', 'rust']],
    ['properties.languages', '["a;b"]', {}, ['a;b']],
    ['properties.ports', '80|443', { separator: '|' }, [80, 443]],
    ['properties.ports', '80, http', {}, 'x: "http" is no number.'],
    ['properties.labels', '{"a":1}', {}, { a: 1 }],
    ['properties.labels', 'a=1', {}, 'x: "a=1" is no JSON object.'],
    ['properties.tier', 'gold', {}, 'Gold'],
    ['properties.tier', 'Bronze', {}, 'x: "Bronze" must be one of Gold, Silver.'],
    ['properties.url', ' as it is ', {}, ' as it is '],
    ['properties.cost', 'ten', { jq: '.value | length' }, 3],
    ['title', 'x', { jq: '.row.id + "!"' }, 'a!'],
    ['title', 'x', { jq: '.value | tonumber' }, expect.stringContaining('x: The expression failed: ')],
    ['team', 'a; b', {}, ['a', 'b']],
    ['relations.system', 'shop', {}, 'shop'],
    ['relations.uses', 'a, b', {}, ['a', 'b']],
    ['properties.cost', '', {}, undefined],
    ['properties.cost', null, {}, null],
  ])('%s from %j with %j', (to, cell, extra, expected) => {
    expect(cellTo(to, cell, extra as Partial<Column>)).toEqual(expected);
  });

  test('or is cleared where empty cells clear', () => {
    expect(cellTo('properties.cost', ' ', {}, 'clear')).toBeNull();
    expect(cellTo('team', '', {}, 'clear')).toBeNull();
    expect(cellTo('relations.uses', '', {}, 'clear')).toEqual([]);
  });
});

describe('a row', () => {
  const byTitle = plan([{ heading: 'Name', to: 'title' }]);

  test('without an identifier takes it from its title', () => {
    const map = createRowMapper(['Name'], byTitle, service);
    expect(map({ row: 2, cells: ['Café crème'] })).toEqual({
      row: 2,
      entity: { blueprint: 'service', identifier: 'cafe-creme', title: 'Café crème' },
    });
    expect(map({ row: 3, cells: [' ** '] })).toMatchObject({ problems: [{ row: 3, column: 'Name' }] });
  });

  test('is refused where an earlier one has its identifier, also after it was made legal', () => {
    const map = createRowMapper(['Name'], byTitle, service);
    map({ row: 2, cells: ['Web shop'] });
    expect(map({ row: 9, cells: ['web-shop'] })).toMatchObject({
      problems: [{ row: 9, message: 'Row 2 has the identifier "web-shop" too. Keep one of them.' }],
    });
  });

  test('becomes an entity or a problem, whatever is in it', () => {
    const headings = ['id', 'a', 'b', 'c', 'd', 'e'];
    const paths = ['identifier', 'properties.cost', 'properties.since', 'properties.ports', 'relations.uses', 'team'];
    const columns = headings.map((heading, index) => ({ heading, to: paths[index] as string }));
    const cell = fc.oneof(fc.string(), fc.constantFrom('', '1', '1/2/2026', 'a;b', '[1]', '[{}]'), fc.jsonValue());
    fc.assert(
      fc.property(fc.array(fc.array(cell, { maxLength: 6 }), { maxLength: 5 }), (rows) => {
        const map = createRowMapper(headings, plan(columns), service);
        for (const [index, cells] of rows.entries()) {
          const mapped = map({ row: index + 2, cells: cells as Row['cells'] });
          if ('problems' in mapped) expect(mapped.problems.length).toBeGreaterThan(0);
          else expect(mapped.entity.identifier).toMatch(/\S/);
        }
      }),
    );
  });

  test.each([
    [[{ heading: 'Name', to: 'properties.nothing' }], 'service has no "properties.nothing" for the column "Name".'],
    [[{ heading: 'Nome', to: 'title' }], 'The table has no column "Nome".'],
    [[{ heading: 'Name', to: 'icon' }], 'Choose the column with the identifier'],
    [[{ heading: 'Name', to: 'title', jq: '.[' }], 'The expression of "Name" cannot be read'],
  ])('is never mapped by columns that cannot be followed', (columns, message) => {
    expect(() => createRowMapper(['Name'], plan(columns), service)).toThrow(message);
  });
});

test('titles of relation targets and teams become their identifiers', async () => {
  const table = await makeTable('id,system,team\na,Web shop,Payments team\nb,Banking,x\nc,Not there,New team\n');
  const columns = [
    { heading: 'id', to: 'identifier' },
    { heading: 'system', to: 'relations.system' },
    { heading: 'team', to: 'team' },
  ];
  const map = createRowMapper(table.columns, plan(columns), service);
  const rows = (await collect(table.rows())).map(map);
  const resolved = await createReferenceResolver(service, find).resolve(rows);
  expect(resolved).toEqual([
    { row: 2, entity: { blueprint: 'service', identifier: 'a', team: ['payments'], relations: { system: 'shop' } } },
    {
      row: 3,
      problems: [{ row: 3, message: '2 entities of system have the title "Banking". Write the identifier.' }],
    },
    {
      row: 4,
      entity: { blueprint: 'service', identifier: 'c', team: ['New team'], relations: { system: 'not-there' } },
    },
  ]);
});
