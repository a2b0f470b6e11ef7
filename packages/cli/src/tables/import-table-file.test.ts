import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Handler, json, refusal, type SeenRequest, scriptedFetch } from '../../test/scripted-fetch.ts';
import { createTestContext, testEnvironment } from '../../test/test-context.ts';
import { run } from '../run.ts';

const service = {
  identifier: 'service',
  title: 'Service',
  schema: { properties: { cost: { type: 'number' }, tier: { type: 'string' } } },
  relations: {},
};

type Line = { identifier: string };

/** Takes every line except those whose identifier is `refused`. */
const taking: Handler = ({ body, query }) => {
  const lines = (body ?? []) as Line[];
  const after = Number(query['after'] ?? 0);
  const problems = lines.flatMap(({ identifier }, index) =>
    identifier === 'refused' ? [{ line: after + index + 1, error: 'invalid_request', message: 'not this one' }] : [],
  );
  const counts = {
    created: lines.length - problems.length,
    changed: 0,
    unchanged: 0,
    refused: problems.length,
    waiting: 0,
  };
  const end = after + lines.length;
  const answer = [
    { import: 'imp_1', lines: after },
    ...problems,
    { chunk: 1, line: end, ...counts },
    ...(query['more'] === 'true'
      ? []
      : [{ done: true, import: 'imp_1', status: 'completed', lines: end, ...counts, missing: 0 }]),
  ];
  return new Response(answer.map((line) => `${JSON.stringify(line)}\n`).join(''));
};

const server = {
  'GET /v1/blueprints/service': () => json({ ok: true, blueprint: service }),
  'POST /v1/blueprints/_team/entities/search': () => json({ ok: true, entities: [] }),
  'POST /v1/imports': taking,
  'POST /v1/imports/imp_1/cancel': () => json({ ok: true }),
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'portolan-tables-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function importing(
  text: string,
  given: readonly string[],
  script: Record<string, Handler> = {},
  name = 'services.csv',
) {
  writeFileSync(join(folder, name), text);
  const { fetch, seen } = scriptedFetch({ ...server, ...script });
  const { context, out, err } = createTestContext({ fetch, workingDirectory: folder, environment: testEnvironment });
  return { code: await run(['import', name, ...given], context), out: out(), err: err(), seen };
}

const written = (seen: readonly SeenRequest[]) =>
  seen
    .filter(({ call, query }) => call === 'POST /v1/imports' && query['dry_run'] === 'false')
    .flatMap(({ body }) => (body ?? []) as Line[]);

describe('import of a table', () => {
  test('shows what the columns become, plans, and applies', async () => {
    const { code, out, err, seen } = await importing('Name,Cost,Remark\ncart,5,x\npay,6,y\n', [
      '--blueprint',
      'service',
    ]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(`column  becomes          first value
Name    identifier       cart
Cost    properties.cost  5
Remark  (left out)       x
Plan: 2 rows: 2 to create, 0 to change, 0 unchanged.
Imported: 2 created, 0 changed, 0 unchanged.
`);
    expect(written(seen)).toEqual([
      { blueprint: 'service', identifier: 'cart', properties: { cost: 5 } },
      { blueprint: 'service', identifier: 'pay', properties: { cost: 6 } },
    ]);
  });

  test('writes nothing with --dry-run, nor where a row is refused', async () => {
    const dry = await importing('name\ncart\n', ['--blueprint', 'service', '--dry-run']);
    expect({ code: dry.code, written: written(dry.seen) }).toEqual({ code: 0, written: [] });
    expect(dry.out).toContain('Nothing was written (--dry-run).');
    const refused = await importing('name,cost\nrefused,1\ncart,x\n', ['--blueprint', 'service']);
    expect({ code: refused.code, written: written(refused.seen) }).toEqual({ code: 5, written: [] });
    expect(refused.err).toBe('row 2: not this one\nrow 3, cost: "x" is no number.\n');
  });

  test('writes the others with --keep-going, and the refused rows to a file', async () => {
    const options = ['--blueprint', 'service', '--keep-going', '--refused', 'refused.csv'];
    const { code, out, seen } = await importing('name,cost\nrefused,1\ncart,2\n', options);
    expect(code).toBe(5);
    expect(out).toContain('Imported: 1 created, 0 changed, 0 unchanged, 1 refused.');
    expect(written(seen)).toHaveLength(2);
    expect(readFileSync(join(folder, 'refused.csv'), 'utf8')).toBe('name,cost,problem\r\nrefused,1,not this one\r\n');
  });

  test('takes columns and expressions from the options', async () => {
    const options = [
      '--blueprint',
      'service',
      '--map',
      'a=b=identifier',
      '--map',
      'cost=tier',
      '--jq',
      'cost=.value + "!"',
    ];
    const { seen } = await importing('a=b,cost\ncart,1\n', options);
    expect(written(seen)).toEqual([{ blueprint: 'service', identifier: 'cart', properties: { tier: '1!' } }]);
  });

  test('makes a blueprint from the columns', async () => {
    const bodies: unknown[] = [];
    const { code, seen } = await importing('Name,Pods\ncart,3\n', ['--new-blueprint', 'Workload'], {
      'POST /v1/blueprints': ({ body }) => {
        bodies.push(body);
        return json({ ok: true, blueprint: body }, 201);
      },
    });
    expect(code).toBe(0);
    expect(bodies).toEqual([
      {
        identifier: 'workload',
        title: 'Workload',
        schema: { properties: { pods: { type: 'number', title: 'Pods' } } },
      },
    ]);
    expect(written(seen)).toEqual([{ blueprint: 'workload', identifier: 'cart', properties: { pods: 3 } }]);
  });

  test('keeps the columns with a source, and reads the next file by them', async () => {
    const sources: Record<string, unknown>[] = [];
    const store: Handler = ({ body }) => {
      sources.push(body as Record<string, unknown>);
      return json({ ok: true, source: body }, 201);
    };
    const options = ['--blueprint', 'service', '--source', 'sheet', '--map', 'x=tier'];
    const first = await importing('name,x\ncart,1\n', options, { 'POST /v1/sources': store });
    expect(first.code).toBe(0);
    expect(sources[0]).toMatchObject({ identifier: 'sheet', type: 'file', settings: { blueprint: 'service' } });
    const again = await importing('x,name\n2,cart\n', options.slice(0, 4), {
      'GET /v1/sources/sheet': () => json({ ok: true, source: sources[0] }),
      'PATCH /v1/sources/sheet': () => json({ ok: true, source: sources[0] }),
    });
    expect(written(again.seen)).toEqual([{ blueprint: 'service', identifier: 'cart', properties: { tier: '2' } }]);
    const [sent] = again.seen.filter(({ call }) => call === 'POST /v1/imports');
    expect(sent?.query['source']).toBe('sheet');
  });

  test.each([
    [
      ['--blueprint', 'service', '--map', 'Nome=title'],
      '--map "Nome=title" names no column of the table. It has name.',
    ],
    [['--blueprint', 'service', '--map', 'name=colour'], 'service has no "colour".'],
    [['--blueprint', 'service', '--dates', 'ymd'], '--dates is one of dmy, mdy.'],
    [['--new-blueprint', 'X', '--dry-run'], '--new-blueprint writes the blueprint'],
    [[], 'Name the blueprint of the rows with --blueprint'],
  ])('with %j ends with 2 and a sentence', async (given, message) => {
    const { code, err } = await importing('name\ncart\n', given);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) });
  });

  test('of a file that is no table says what to do', async () => {
    const { code, err } = await importing('PK\u0003\u0004', ['--blueprint', 'service'], {}, 'services.xlsx');
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('The archive cannot be read') });
  });

  test('that the server refuses to take ends with its reason', async () => {
    const denied = () => refusal(403, 'missing_permissions', 'You may not create entities of service.');
    const { code, err } = await importing('name\ncart\n', ['--blueprint', 'service'], { 'POST /v1/imports': denied });
    expect({ code, err }).toEqual({ code: 4, err: expect.stringContaining('You may not create entities of service.') });
  });
});
