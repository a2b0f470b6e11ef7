import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ColumnPlan, importTable, type Table, writeRefusedRows } from '../src/index.ts';
import { find, service } from './blueprints.ts';
import { createFakeServer } from './fake-server.ts';
import { collect, makeTable } from './files.ts';

const plan: ColumnPlan = {
  columns: [
    { heading: 'id', to: 'identifier' },
    { heading: 'cost', to: 'properties.cost' },
  ],
  emptyCells: 'keep',
};

function send(table: Table, fake: ReturnType<typeof createFakeServer>, signal = new AbortController().signal) {
  return importTable({ table, plan, blueprint: service, query: { mode: 'merge' }, server: fake.server, find, signal });
}

test('every row is stored or has a problem with its row and column', async () => {
  const fake = createFakeServer();
  const result = await send(await makeTable('id,cost\na,1\nb,x\n"c\n",3\nbad-1,4\nd,5\nd,6\n'), fake);
  expect(fake.stored.map((line) => JSON.parse(line).identifier)).toEqual(['a', 'c', 'bad-1', 'd']);
  expect(result).toMatchObject({ import: 'imp_1', status: 'completed', rows: 6, created: 3, refusedRows: 3 });
  expect(result.problems).toEqual([
    { row: 3, column: 'cost', message: '"x" is no number.' },
    { row: 6, column: 'cost', message: 'Not this one.' },
    { row: 8, message: 'Row 7 has the identifier "d" too. Keep one of them.' },
  ]);
});

test('a broken connection goes on from where the server is: nothing twice, nothing lost, no problem untold', async () => {
  const rowsAndBreaks = fc.tuple(
    fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }),
    fc.array(fc.option(fc.nat(8), { nil: undefined }), { maxLength: 4 }),
  );
  await fc.assert(
    fc.asyncProperty(rowsAndBreaks, async ([rows, breaks]) => {
      const fake = createFakeServer([...breaks]);
      const text = rows.map((isBad, index) => `${isBad ? 'bad' : 'ok'}-${index},1`).join('\n');
      const result = await send(await makeTable(`id,cost\n${text}\n`), fake);
      expect(fake.stored).toHaveLength(rows.length);
      expect(new Set(fake.stored).size).toBe(rows.length);
      const bad = rows.flatMap((isBad, index) => (isBad ? [index + 2] : []));
      expect(result.problems.map(({ row }) => row)).toEqual(bad);
      expect(result.created + result.refusedRows).toBe(result.rows);
    }),
  );
});

test('a server that still stores what a broken connection sent is waited for', async () => {
  const fake = createFakeServer([undefined, 2], { storesOn: true });
  const text = Array.from({ length: 9 }, (_, index) => `s-${index},1`).join('\n');
  const result = await send(await makeTable(`id,cost\n${text}`), fake);
  expect(new Set(fake.stored).size).toBe(fake.stored.length);
  expect([fake.stored.length, result.created]).toEqual([9, 9]);
  // opened, broken, refused because the import is further than it said, and then the end of it
  expect(fake.requests.map(({ after }) => after)).toEqual([undefined, 0, 6, 9]);
});

test('a file of many parts is sent in many requests, the last of which ends the import', async () => {
  const fake = createFakeServer();
  const text = Array.from({ length: 4100 }, (_, index) => `s-${index},1`).join('\n');
  const result = await send(await makeTable(`id,cost\n${text}`), fake);
  expect(result.rows).toBe(4100);
  expect(fake.requests.map(({ after, more }) => [after, more])).toEqual([
    [undefined, true],
    [0, true],
    [2000, true],
    [4000, false],
  ]);
});

test('a server that stays away is given up on after pauses that grow', async () => {
  const fake = createFakeServer(Array.from({ length: 20 }, () => 0));
  await expect(send(await makeTable('id,cost\na,1\n'), fake)).rejects.toThrow();
  expect(fake.waits).toEqual([500, 1000, 2000, 4000, 8000]);
});

test('an import that is stopped is cancelled on the server', async () => {
  const fake = createFakeServer();
  const controller = new AbortController();
  const stopping = { ...fake, server: { ...fake.server, wait: fake.server.wait } };
  const text = Array.from({ length: 5000 }, (_, index) => `s-${index},1`).join('\n');
  const table = await makeTable(`id,cost\n${text}`);
  const importing = importTable({
    table,
    plan,
    blueprint: service,
    query: {},
    server: stopping.server,
    find,
    signal: controller.signal,
    onProgress: (_, { created }) => void (created > 0 && controller.abort()),
  });
  await expect(importing).rejects.toThrow(/abort/i);
  expect(fake.status()).toBe('cancelled');
});

test('refused rows come back as CSV with the problem, and no cell is a formula', async () => {
  const table = await makeTable('id,cost,note\na,x,"=HYPERLINK(1)"\nb,1,fine\nc,y,-3.5\n');
  const result = await send(table, createFakeServer());
  const text = (await collect(writeRefusedRows(table, result.problems))).join('');
  expect(text).toBe(
    'id,cost,note,problem\r\n' +
      'a,x,"\'=HYPERLINK(1)","cost: ""x"" is no number."\r\n' +
      'c,y,-3.5,"cost: ""y"" is no number."\r\n',
  );
});

test('every refused row that is written is read back with its cells', async () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', '"', ',', '\n', ';', '=', '+', '-', '@'),
    minLength: 1,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }), async (rows) => {
      const quoted = rows.map((row) => row.map((text) => `"x${text.replaceAll('"', '""')}"`).join(',')).join('\n');
      const table = await makeTable(`id,cost\n${quoted}\n`);
      const problems = (await collect(table.rows())).map(({ row }) => ({ row, message: 'no' }));
      const written = (await collect(writeRefusedRows(table, problems))).join('');
      const again = await makeTable(written, 'refused.csv', { delimiter: ',' });
      expect((await collect(again.rows())).map(({ cells }) => cells.slice(0, 2))).toEqual(
        rows.map((row) => row.map((text) => `x${text}`.trim())),
      );
    }),
  );
});
