import Fastify from 'fastify';
import pg from 'pg';

/**
 * What a catalog would cost without being one: rows of JSON in one table, read and written with prepared statements.
 * No rights, no validation, no derived values, no history.
 */
const pool = new pg.Pool({ connectionString: process.env['BENCH_DATABASE_URL'], max: 10 });
const app = Fastify();
const columns = 'identifier, title, properties, relations, created_at as "createdAt", updated_at as "updatedAt"';

await pool.query(`
  create table if not exists rows (
    key bigint generated always as identity primary key,
    org text not null,
    kind text not null,
    identifier text collate "C" not null,
    title text,
    properties jsonb not null,
    relations jsonb not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (org, kind, identifier)
  );
  create index if not exists rows_by_kind on rows (org, kind, key);`);

app.get('/health', async () => ({ ok: true }));

app.get<{ Params: { identifier: string } }>('/rows/:identifier', async ({ params }) => {
  const { rows } = await pool.query({
    name: 'read',
    text: `select ${columns} from rows where org = $1 and kind = $2 and identifier = $3`,
    values: ['o', 'service', params.identifier],
  });
  return { ok: true, entity: rows[0] };
});

app.post<{ Body: { property: string; value: string; limit: number; after?: number } }>(
  '/rows/search',
  async (request) => {
    const { property, value, limit, after } = request.body;
    const { rows } = await pool.query({
      name: 'page',
      text: `select key, ${columns} from rows
      where org = $1 and kind = $2 and key > $3 and properties ->> $4 = $5 order by key limit $6`,
      values: ['o', 'service', after ?? 0, property, value, limit],
    });
    return { ok: true, entities: rows, next: (rows.at(-1) as { key?: string } | undefined)?.key };
  },
);

app.post<{ Body: { entities: unknown[] } }>('/rows/bulk', async (request) => {
  const { rows } = await pool.query({
    name: 'write',
    text: `insert into rows (org, kind, identifier, title, properties, relations)
      select $1, $2, r.identifier, r.title, r.properties, r.relations
      from jsonb_to_recordset($3::jsonb) as r(identifier text, title text, properties jsonb, relations jsonb)
      on conflict (org, kind, identifier) do update set title = excluded.title, properties = excluded.properties,
        relations = excluded.relations, updated_at = now()
      returning identifier`,
    values: ['o', 'service', JSON.stringify(request.body.entities)],
  });
  return { ok: true, entities: rows };
});

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
