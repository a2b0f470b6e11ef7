import { describe, expect, test } from 'vitest';
import { type Handler, json, refusal, type SeenRequest, scriptedFetch } from '../../test/scripted-fetch.ts';
import { createTestContext } from '../../test/test-context.ts';
import { run } from '../run.ts';

const domain = { identifier: 'domain', title: 'Domain', schema: { properties: {} } };
const service = {
  ...domain,
  identifier: 'service',
  relations: { domain: { target: 'domain', required: true, many: false } },
};
const bulk = 'POST /v1/blueprints/{blueprint}/entities/bulk';
const listing = { 'GET /v1/blueprints': () => json({ ok: true, blueprints: [domain, service] }) };

type Items = { entities: { identifier: string }[] };

/** Accepts every entity except the named ones. */
function taking(refused: readonly string[] = [], there: readonly string[] = []): Handler {
  return ({ body }) => {
    const items = (body as Items).entities.map(({ identifier }, index) => ({ identifier, index }));
    const isRefused = ({ identifier }: { identifier: string }) => refused.includes(identifier);
    return json({
      ok: true,
      entities: items
        .filter((item) => !isRefused(item))
        .map((item) => ({ ...item, created: !there.includes(item.identifier) })),
      errors: items
        .filter(isRefused)
        .map((item) => ({ ...item, statusCode: 422, error: 'invalid_request', message: 'no' })),
    });
  };
}

async function importing(
  records: readonly unknown[],
  script: Record<string, Handler | readonly Handler[]>,
  ...given: string[]
) {
  const { fetch, seen } = scriptedFetch({ ...listing, ...script });
  const input = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const { context, out, err, waits } = createTestContext({ fetch, input });
  return { code: await run(['import', '-', ...given], context), out: out(), err: err(), seen, waits };
}

const entity = (blueprint: string, identifier: string, rest: object = {}) => ({
  entity: { blueprint, identifier, ...rest },
});
const writes = (seen: readonly SeenRequest[]) =>
  seen
    .filter(({ call, query }) => call.endsWith('/bulk') && query['validation_only'] === 'false')
    .map(({ call, body }) => [call.split('/')[3], ...(body as Items).entities.map(({ identifier }) => identifier)]);

test('checks everything first, then writes at most twenty at once, as upserts that keep what is not named', async () => {
  const records = Array.from({ length: 21 }, (_, index) => entity('domain', `d${index}`));
  const { code, out, seen } = await importing(records, { [bulk]: taking() });
  expect(code).toBe(0);
  expect(out).toBe(`Plan:
  0 blueprints to create, 0 to change, 0 unchanged
  21 entities to create, 0 to update
Wrote 0 blueprints and 21 entities (21 new).
`);
  const calls = seen.filter(({ call }) => call.endsWith('/bulk'));
  expect(calls.map(({ query, body }) => [query['validation_only'], (body as Items).entities.length])).toEqual([
    ['true', 20],
    ['true', 1],
    ['false', 20],
    ['false', 1],
  ]);
  expect(calls.every(({ query }) => query['upsert'] === 'true' && query['merge'] === 'true')).toBe(true);
});

test('--dry-run writes nothing', async () => {
  const { code, out, seen } = await importing([entity('domain', 'd')], { [bulk]: taking([], ['d']) }, '--dry-run');
  expect(code).toBe(0);
  expect(out).toBe(`Plan:
  0 blueprints to create, 0 to change, 0 unchanged
  0 entities to create, 1 to update
Nothing was written (--dry-run).
`);
  expect(writes(seen)).toEqual([]);
});

describe('a record that would be refused', () => {
  const records = [entity('domain', 'good'), entity('domain', 'bad'), { widget: {} }];

  test('stops the import before anything is written', async () => {
    const { code, out, err, seen } = await importing(records, { [bulk]: taking(['bad']) });
    expect(code).toBe(5);
    expect(writes(seen)).toEqual([]);
    expect(err).toBe(
      'line 2 (domain/bad): invalid_request: no\nline 3: unreadable_record: names no blueprint, entity, scorecard, action, folder, page or workflow\n',
    );
    expect(out).toContain(
      'Nothing was written because of 2 problems. Correct the file, or write the rest with --keep-going.\n',
    );
  });

  test('is left out with --keep-going', async () => {
    const { code, out } = await importing(records, { [bulk]: taking(['bad']) }, '--keep-going');
    expect(code).toBe(5);
    expect(out).toContain('Wrote 0 blueprints and 1 entity (1 new); 2 problems.\n');
  });

  test('is an item of the JSON report', async () => {
    const { out, err } = await importing(records, { [bulk]: taking(['bad']) }, '--json');
    expect(err).toBe('');
    expect(JSON.parse(out)).toEqual({
      ok: false,
      notes: [],
      plan: { blueprints: { create: [], update: [], unchanged: [] }, entities: { create: 1, update: 0, unchecked: 0 } },
      applied: null,
      problems: [
        { line: 2, blueprint: 'domain', identifier: 'bad', error: 'invalid_request', message: 'no' },
        {
          line: 3,
          error: 'unreadable_record',
          message: 'names no blueprint, entity, scorecard, action, folder, page or workflow',
        },
      ],
    });
  });
});

test('targets are written first; a required one that is only in the file makes its pointer uncheckable', async () => {
  const records = [entity('service', 's', { relations: { domain: 'd' } }), entity('domain', 'd')];
  const { out, seen } = await importing(records, { [bulk]: taking() });
  expect(out).toContain('1 entity to create, 0 to update, 1 that can only be checked by writing them\n');
  expect(writes(seen)).toEqual([
    ['domain', 'd'],
    ['service', 's'],
  ]);
});

test('blueprints that point at each other come into being first, and point afterwards', async () => {
  const a = { ...domain, identifier: 'a', relations: { b: { target: 'b', required: false, many: false } } };
  const b = { ...domain, identifier: 'b', relations: { a: { target: 'a', required: false, many: false } } };
  const { seen, out } = await importing([{ blueprint: a }, { blueprint: b }], {
    'POST /v1/blueprints': () => json({ ok: true, blueprint: {} }, 201),
    'PATCH /v1/blueprints/{id}': () => json({ ok: true, blueprint: {} }),
  });
  expect(seen.filter(({ call }) => !call.startsWith('GET')).map(({ call, body }) => [call, body])).toEqual([
    ['POST /v1/auth/access_token', expect.anything()],
    ['POST /v1/blueprints', { ...domain, identifier: 'a' }],
    ['POST /v1/blueprints', { ...domain, identifier: 'b' }],
    ['PATCH /v1/blueprints/a', { relations: a.relations }],
    ['PATCH /v1/blueprints/b', { relations: b.relations }],
    ['PATCH /v1/blueprints/a', a],
    ['PATCH /v1/blueprints/b', b],
  ]);
  expect(out).toContain('Wrote 2 blueprints');
});

test('entities that point at each other are written twice, the second time whole', async () => {
  const lead = { lead: { target: 'service', required: false, many: true } };
  const { seen } = await importing(
    [
      entity('domain', 'd', { relations: { lead: ['s', 'elsewhere'] } }),
      entity('service', 's', { relations: { domain: 'd' } }),
    ],
    {
      'GET /v1/blueprints': () => json({ ok: true, blueprints: [{ ...domain, relations: lead }, service] }),
      [bulk]: taking(),
    },
  );
  const written = seen.filter(({ call, query }) => call.endsWith('/bulk') && query['validation_only'] === 'false');
  expect(written.flatMap(({ body }) => (body as { entities: object[] }).entities)).toEqual([
    { identifier: 'd', relations: { lead: ['elsewhere'] } },
    { identifier: 's', relations: { domain: 'd' } },
    { identifier: 'd', relations: { lead: ['s', 'elsewhere'] } },
    { identifier: 's', relations: { domain: 'd' } },
  ]);
});

describe('a request that is refused as a whole', () => {
  test('is sent in halves if it is too large', async () => {
    const sizes: number[] = [];
    const { code } = await importing([entity('domain', 'a'), entity('domain', 'b')], {
      [bulk]: (request) => {
        const { length } = (request.body as Items).entities;
        sizes.push(length);
        return length > 1 ? refusal(413, 'payload_too_large', 'too large') : taking()(request);
      },
    });
    expect({ code, sizes }).toEqual({ code: 0, sizes: [2, 1, 1, 2, 1, 1] });
  });

  test('is every entity’s problem if it is about the blueprint', async () => {
    const { code, err } = await importing([entity('gone', 'a'), entity('gone', 'b')], {
      [bulk]: () => refusal(404, 'not_found', 'There is no blueprint "gone"'),
    });
    expect(code).toBe(5);
    expect(err).toContain('line 2 (gone/b): not_found: There is no blueprint "gone"\n');
  });

  test('is sent again a few times if the server is busy, and then ends the import', async () => {
    const { code, err, waits } = await importing([entity('domain', 'a')], {
      [bulk]: () => refusal(503, 'service_unavailable', 'The server is stopping'),
    });
    expect({ code, waits }).toEqual({ code: 3, waits: [500, 1000, 2000] });
    expect(err).toBe('portolan: service_unavailable: The server is stopping.\n');
  });
});

test('a file of another version is a wrong call', async () => {
  const { code, err } = await importing([{ portolan: { format: 'catalog', version: 2 } }], {});
  expect(code).toBe(2);
  expect(err).toContain('The file has version 2 of the form, and this is for version 1.');
});

test.each([[[]], [['a', 'b']], [['gone.jsonl']]])('import %j is a wrong call', async (given) => {
  expect(await run(['import', ...given], createTestContext().context)).toBe(2);
});

describe('inheritance of before users and teams were blueprints', () => {
  const old = {
    blueprint: { ...service, identifier: 'pod', teamInheritance: { path: 'domain' } },
  };
  const organization = (featureFlags: readonly string[]) => ({
    'GET /v1/organization': () => json({ ok: true, organization: { id: 'o', name: 'Acme', featureFlags } }),
    'POST /v1/blueprints': ({ body }: SeenRequest) => json({ ok: true, blueprint: body }),
    [bulk]: taking(),
  });
  const created = (seen: readonly SeenRequest[]) =>
    seen.find(({ call }) => call === 'POST /v1/blueprints')?.body as Record<string, unknown>;

  test('becomes ownership where they are, and is told', async () => {
    const { code, err, seen } = await importing([old], organization(['USERS_AND_TEAMS_OWNERSHIP_V2']));
    expect(code).toBe(0);
    expect(created(seen)).toMatchObject({ identifier: 'pod', ownership: { type: 'Inherited', path: 'domain' } });
    expect(created(seen)).not.toHaveProperty('teamInheritance');
    expect(err).toBe('line 1 (pod): teamInheritance along "domain" becomes inherited ownership\n');
  });

  test('stays as it is where they are not', async () => {
    const { err, seen } = await importing([old], organization([]));
    expect(created(seen)).toMatchObject({ teamInheritance: { path: 'domain' } });
    expect([created(seen)['ownership'], err]).toEqual([undefined, '']);
  });
});
