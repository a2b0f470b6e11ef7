import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, readEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { importLines, sendImport } from '../../../../test/import-lines.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const service = async () => {
  const domain = await createBlueprint(app.request, 'domain');
  await createEntity(app.request, domain, { identifier: 'pay', title: 'Payments' });
  const blueprint = await createBlueprint(app.request, 'service', {
    properties: {
      tier: { type: 'string', enum: ['gold', 'silver'] },
      monthlyCost: { type: 'number', title: 'Cost a month' },
      isPublic: { type: 'boolean' },
      since: { type: 'string', format: 'date-time' },
      languages: { type: 'array', items: { type: 'string' } },
      note: { type: 'string' },
    },
    relations: { domain: { target: domain } },
  });
  return blueprint;
};
const csv = (query: string, body: string | Buffer | Readable, headers: Record<string, string> = {}) =>
  sendImport(app.request, query, body, { 'content-type': 'text/csv', ...headers });
const count = async (blueprint: string) =>
  (await app.request('GET', `/v1/blueprints/${blueprint}/entities-count`)).body.count as number;
const counts = ({ created, changed, unchanged, refused }: Record<string, number>) => [
  created,
  changed,
  unchanged,
  refused,
];

describe('an import of CSV', () => {
  test('reads cells by the blueprint, and names of relations by title', async () => {
    const blueprint = await service();
    const { done } = await csv(
      `blueprint=${blueprint}`,
      '\uFEFFIdentifier;title;TIER;Cost a month;is-public;since;languages;relations.domain;note\r\n' +
        'a;"A ""great"" one";Gold;1,200.50;yes;2026-05-31;go|rust;Payments;"two\r\nlines; one cell"\r\n' +
        'b;;;;;;;pay;\r\n' +
        ';;;;;;;;\r\n',
    );
    expect(counts(done)).toEqual([2, 0, 0, 0]);
    expect(done.lines).toBe(4);
    expect(await readEntity(app.request, blueprint, 'a')).toMatchObject({
      title: 'A "great" one',
      properties: {
        tier: 'gold',
        monthlyCost: 1200.5,
        isPublic: true,
        since: '2026-05-31T00:00:00.000Z',
        languages: ['go', 'rust'],
        note: 'two\r\nlines; one cell',
      },
      relations: { domain: 'pay' },
    });
    expect((await readEntity(app.request, blueprint, 'b')).relations).toEqual({ domain: 'pay' });
  });

  test.each([
    ['commas', 'text/csv', 'identifier,tier,note\na,gold,"x,y"\n'],
    ['semicolons', 'text/csv; charset=utf-8', 'identifier;tier;note\na;gold;x,y\n'],
    ['tabs', 'text/csv', 'identifier\ttier\tnote\na\tgold\tx,y\n'],
    ['tabs by the media type', 'text/tab-separated-values', 'identifier\ttier\tnote\na\tgold\tx,y'],
  ])('takes %s', async (_name, type, text) => {
    const blueprint = await service();
    const { done } = await csv(`blueprint=${blueprint}`, text, { 'content-type': type });
    expect(counts(done)).toEqual([1, 0, 0, 0]);
    expect((await readEntity(app.request, blueprint, 'a')).properties).toMatchObject({ tier: 'gold', note: 'x,y' });
  });

  test.each([
    ['UTF-16 by its mark', 'text/csv', Buffer.from('\uFEFFidentifier,note\na,Größe €\n', 'utf16le')],
    ['Windows-1252 as it looks', 'text/csv', Buffer.from('identifier,note\na,Gr\xf6\xdfe \x80\n', 'latin1')],
    ['what is told', 'text/csv; charset="ISO-8859-1"', Buffer.from('identifier,note\na,Gr\xf6\xdfe \x80\n', 'latin1')],
  ])('reads %s', async (_name, type, body) => {
    const blueprint = await service();
    const { done } = await csv(`blueprint=${blueprint}`, body, { 'content-type': type });
    expect(counts(done)).toEqual([1, 0, 0, 0]);
    expect((await readEntity(app.request, blueprint, 'a')).properties).toMatchObject({ note: 'Größe €' });
  });

  test('says of each refused row why, with its line in the file and its column', async () => {
    const blueprint = await service();
    const text = [
      'identifier,note,tier,Cost a month,domain',
      'a,"1\n2\n3",gold,1,pay',
      'b,x,tin,ten,pay',
      '',
      ',x,gold,1,pay',
      'c,x,gold,1,nowhere',
      'd,"x"y,gold,1,pay',
      'e,x,gold,1,pay,more',
      `f,x,gold,${'9'.repeat(400)},pay`,
      'g,\u0000,gold,1,pay',
      'h,x,gold,1,pay',
    ].join('\n');
    for (const query of [`dry_run=true&blueprint=${blueprint}`, `blueprint=${blueprint}`]) {
      const { done, problems, id } = await csv(query, text);
      expect(counts(done)).toEqual([2, 0, 0, 7]);
      const told = new Map(problems.map(({ line, message, path }) => [line, `${path ?? ''} ${message}`]));
      expect([...told.keys()].sort((left, right) => left - right)).toEqual([5, 7, 8, 9, 10, 11, 12]);
      expect(told.get(5)).toBe(
        '/properties/tier tier: "tin" must be one of gold, silver. Cost a month: "ten" is no number.',
      );
      expect(told.get(7)).toMatch(/^\/identifier identifier: The cell is empty/);
      expect(told.get(8)).toContain('nowhere');
      expect(told.get(9)).toContain('note: There is text after the closing quote');
      expect(told.get(10)).toContain('The row has 6 cells and the table 5 columns');
      expect(told.get(11)).toMatch(/larger than a number can be/);
      expect(told.get(12)).toContain('U+0000');
      const listed = await app.request('GET', `/v1/imports/${id}/problems`);
      expect(listed.body.problems.map(({ line }: { line: number }) => line)).toEqual([5, 7, 8, 9, 10, 11, 12]);
      expect(await count(blueprint)).toBe(query.startsWith('dry') ? 0 : 2);
    }
  });

  test('refuses columns that the blueprint does not know once, before anything is stored', async () => {
    const blueprint = await service();
    const before = (await app.request('GET', '/v1/imports')).body.imports.length;
    const rows = Array.from({ length: 2_000 }, (_none, at) => `s${at},gold,red,x`).join('\n');
    const text = `identifier,tier,Colour,Owner of it\n${rows}`;
    const { status, done } = await csv(`blueprint=${blueprint}`, text);
    expect(status).toBe(422);
    expect(done.details).toEqual(
      ['Colour', 'Owner of it'].map((heading) => ({
        path: 'line 1',
        message: expect.stringContaining(`"${blueprint}" has nothing that "${heading}" names`),
      })),
    );
    expect((await app.request('GET', '/v1/imports')).body.imports.length).toBe(before);
    expect(await count(blueprint)).toBe(0);
    const ignoring = await csv(`blueprint=${blueprint}&unknown_columns=ignore`, text);
    expect(counts(ignoring.done)).toEqual([2_000, 0, 0, 0]);
  });

  test.each([
    ['no blueprint', '', 'identifier\na', 'text/csv', 422, '{query}/blueprint'],
    ['nothing in it', 'B', '\n \n', 'text/csv', 422, 'The file is empty'],
    ['no column that names the entity', 'B', 'tier\ngold', 'text/csv', 422, 'Choose the column with the identifier'],
    ['a workbook for CSV', 'B', 'PK\u0003\u0004abc', 'text/csv', 422, 'zip file'],
    ['headings that do not end', 'B', '"identifier,tier\ngold', 'text/csv', 422, 'never closed'],
    ['an encoding nobody knows', 'B', 'identifier\na', 'text/csv; charset=ebcdic', 415, 'ebcdic'],
    ['a form nobody reads', 'B', 'identifier\na', 'text/html', 415, 'text/csv'],
  ])('says what is wrong with %s', async (_name, named, text, type, status, message) => {
    const query = named === '' ? '' : `blueprint=${await service()}`;
    const answer = await csv(query, text, { 'content-type': type });
    expect([answer.status, answer.done.message]).toEqual([status, expect.stringContaining(message)]);
  });

  test('may have headings alone, be packed, clear with empty cells, and keep what is there without', async () => {
    const blueprint = await service();
    const query = `blueprint=${blueprint}`;
    expect((await csv(query, 'identifier,tier\n')).done).toMatchObject({ status: 'completed', lines: 1, created: 0 });
    const packed = gzipSync('identifier,tier,note\na,gold,x\n');
    expect(counts((await csv(query, packed, { 'content-encoding': 'gzip' })).done)).toEqual([1, 0, 0, 0]);
    await csv(query, 'identifier,tier,note\na,,y\n');
    expect((await readEntity(app.request, blueprint, 'a')).properties).toMatchObject({ tier: 'gold', note: 'y' });
    await csv(`${query}&empty_cells=clear`, 'identifier,tier,note\na,,y\n');
    expect((await readEntity(app.request, blueprint, 'a')).properties).toMatchObject({ tier: null, note: 'y' });
  });

  test('goes on after the last line that is stored, at any row, with the lines of the file', async () => {
    const blueprint = await service();
    const rows = Array.from({ length: 9 }, (_none, at) => (at % 3 === 1 ? `s${at},"x\ny",tin` : `s${at},x,gold`));
    const text = `identifier,note,tier\n${rows.join('\n')}\n`;
    const lines = text.split('\n');
    const whole = await csv(`dry_run=true&blueprint=${blueprint}`, text);
    let after = 0;
    let id = '';
    const seen: unknown[] = [];
    const ends = rows.map((_row, at) => `${rows.slice(0, at + 1).join('\n')}\n`.split('\n').length);
    // the headings alone, then one row a request
    for (const upTo of [1, ...ends]) {
      const part = `${lines.slice(after, upTo).join('\n')}\n`;
      const going = id === '' ? `blueprint=${blueprint}` : `import=${id}&after=${after}`;
      const answer = await csv(`${going}&more=true`, part);
      expect(answer.status, JSON.stringify(answer.done)).toBe(200);
      id = answer.id;
      seen.push(...answer.problems);
      after = (await app.request('GET', `/v1/imports/${id}`)).body.import.lines;
      expect(after).toBe(upTo);
    }
    const wrong = await csv(`import=${id}&after=3`, 'x');
    expect([wrong.status, wrong.done.error]).toEqual([409, 'import_out_of_step']);
    const other = await importLines(app.request, `import=${id}&after=${after}`, [{ identifier: 'z' }]);
    expect([other.status, other.done.message]).toEqual([422, expect.stringContaining('text/csv')]);
    const { done } = await csv(`import=${id}&after=${after}`, '');
    expect(counts(done)).toEqual(counts(whole.done));
    expect(counts(done)).toEqual([6, 0, 0, 3]);
    expect(seen.map((each) => (each as { line: number }).line)).toEqual([3, 7, 11]);
    expect(whole.problems.map(({ line }) => line)).toEqual([3, 7, 11]);
  });

  test('does not go on with what began as JSON lines', async () => {
    const lines = await importLines(app.request, 'more=true', []);
    const table = await csv(`import=${lines.id}&after=0`, 'identifier\na');
    expect([table.status, table.done.message]).toEqual([422, expect.stringContaining('JSON lines')]);
  });

  test('of a source reads columns as the upload in the portal kept them, and skips what is as it was', async () => {
    const blueprint = await service();
    const settings = {
      blueprint,
      fileName: 'services.csv',
      emptyCells: 'clear',
      columns: [
        { heading: 'Name', to: 'identifier' },
        { heading: 'Start', to: 'properties.since', dateOrder: 'mdy' },
        { heading: 'Price', to: 'properties.monthlyCost', hasDecimalComma: true },
        { heading: 'Loud', to: 'properties.note', jq: '.value | ascii_upcase' },
        { heading: 'Row', to: null },
      ],
    };
    const body = { type: 'file', identifier: unique('list'), settings };
    const source = (await app.request('POST', '/v1/sources', { body })).body.source.identifier as string;
    const query = `blueprint=${blueprint}&source=${source}`;
    const text = 'Name,Start,Price,Loud,Row,tier\nB one,04/05/2026,"1.234,50",hey,1,gold\nb2,,,,2,gold\n';
    expect(counts((await csv(query, text)).done)).toEqual([2, 0, 0, 0]);
    expect((await readEntity(app.request, blueprint, 'b-one')).properties).toMatchObject({
      since: '2026-04-05T00:00:00.000Z',
      monthlyCost: 1234.5,
      note: 'HEY',
      tier: 'gold',
    });
    expect(counts((await csv(query, text)).done)).toEqual([0, 0, 2, 0]);
    const { done, problems } = await csv(query, text.replace('b2,,,,2,gold', 'B one,,,,2,silver'));
    expect([counts(done), done.missing]).toEqual([[0, 0, 1, 1], 1]);
    expect(problems).toMatchObject([{ line: 3, error: 'defined_twice' }]);
  });

  test('finds titles only among what the sender may see', async () => {
    const blueprint = await service();
    await createEntity(app.request, '_user', {
      identifier: `${blueprint}@example.com`,
      properties: { status: 'Active', port_role: 'Member' },
    });
    const definition = (await app.request('GET', `/v1/blueprints/${blueprint}`)).body.blueprint;
    const rights = {
      [blueprint]: { register: { roles: ['Member'] }, updateRelations: { domain: { roles: ['Member'] } } },
      [definition.relations.domain.target]: { read: { roles: ['Admin'] } },
    };
    for (const [each, entities] of Object.entries(rights)) {
      const answer = await app.request('PATCH', `/v1/blueprints/${each}/permissions`, { body: { entities } });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    }
    const token = await app.organization.personToken(`${blueprint}@example.com`);
    const headers = { 'content-type': 'text/csv' };
    const text = 'identifier,domain\na,Payments\nb,pay\n';
    const asMember = await sendImport(app.request, `blueprint=${blueprint}`, text, headers, { token });
    // the title leads to nothing, as it would if nobody had it
    expect(asMember.problems.map(({ line, message }) => [line, /identifier "(.+?)"/.exec(message)?.[1]])).toEqual([
      [2, 'Payments'],
      [3, 'pay'],
    ]);
    const asAdmin = await csv(`blueprint=${blueprint}`, text);
    expect(counts(asAdmin.done)[3]).toBe(0);
  });

  test('begins again with its headings where nothing was stored, and with no others', async () => {
    const blueprint = await service();
    const query = `blueprint=${blueprint}&more=true`;
    // bytes that are none of the encoding end the request; nothing before them makes a chunk
    const pieces = ['identifier,note\n', `a,"${'x'.repeat(100_000)}"\n`].map((text) => Buffer.from(text));
    const broken = Readable.from([...pieces, Buffer.from([0xff, 0x2c, 0x0a])]);
    const first = await csv(query, broken);
    expect(first.lines.at(-1)).toMatchObject({ error: 'invalid_request', message: expect.stringContaining('UTF-8') });
    expect((await app.request('GET', `/v1/imports/${first.id}`)).body.import.lines).toBe(0);
    const other = await csv(`import=${first.id}`, 'identifier,tier\nb,gold\n');
    expect([other.status, other.done.message]).toEqual([422, expect.stringContaining('other headings')]);
    const again = await csv(`import=${first.id}`, 'identifier,note\nb,y\n');
    expect(counts(again.done)).toEqual([1, 0, 0, 0]);
  });
});
