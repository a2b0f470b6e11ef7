import Fastify from 'fastify';
import pg from 'pg';

/**
 * What taking and acting on events would cost without being a portal: a table that is a queue, a consumer that writes a
 * row for some of them, and a route that keeps the bytes of a webhook. No rights, no conditions, no order, no history.
 */
const connectionString = process.env['BENCH_DATABASE_URL'];
const pool = new pg.Pool({ connectionString, max: 10 });
const app = Fastify();

await pool.query(`
  create table if not exists changed (
    org text not null, identifier text collate "C" not null, properties jsonb not null, primary key (org, identifier));
  create table if not exists queue (
    id bigint generated always as identity primary key, identifier text not null, properties jsonb not null);
  create table if not exists effects (identifier text collate "C" primary key);
  create table if not exists hooks (
    id bigint generated always as identity primary key, at timestamptz not null default now(), body bytea not null);`);

app.get('/health', async () => ({ ok: true }));

app.post<{ Body: { entities: unknown[] } }>('/changes/bulk', async (request) => {
  await pool.query({
    name: 'change',
    text: `with given as (
        select r.identifier, r.properties from jsonb_to_recordset($1::jsonb) as r(identifier text, properties jsonb)
      ), stored as (
        insert into changed (org, identifier, properties) select 'o', identifier, properties from given
        on conflict (org, identifier) do update set properties = excluded.properties
      ), noted as (
        insert into queue (identifier, properties) select identifier, properties from given
      ) select pg_notify('queue', '')`,
    values: [JSON.stringify(request.body.entities)],
  });
  return { ok: true };
});

app.get<{ Params: { identifier: string } }>('/effects/:identifier', async ({ params }, reply) => {
  const { rowCount } = await pool.query({
    name: 'effect',
    text: 'select 1 from effects where identifier = $1',
    values: [params.identifier],
  });
  return reply.code(rowCount === 1 ? 200 : 404).send({ ok: rowCount === 1 });
});

app.register(async (hooks) => {
  hooks.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  hooks.removeContentTypeParser('application/json');
  hooks.post<{ Body: Buffer }>('/hook', async ({ body }, reply) => {
    await pool.query({ name: 'hook', text: 'insert into hooks (body) values ($1)', values: [body] });
    return reply.code(202).send({ ok: true });
  });
});

/** Takes a hundred events, and writes those that a name asks for; whether there were any. */
async function consume(): Promise<boolean> {
  const { rows } = await pool.query<{ taken: number }>({
    name: 'consume',
    text: `with taken as (
        delete from queue where id in (select id from queue order by id limit 100 for update skip locked)
        returning identifier
      ), written as (
        insert into effects (identifier) select identifier from taken where identifier like 'probe-%'
        on conflict do nothing
      ) select count(*)::int as taken from taken`,
  });
  return (rows[0]?.taken ?? 0) > 0;
}

const listener = new pg.Client({ connectionString });
await listener.connect();
let isAsked = false;
let isAtIt = false;
async function work(): Promise<void> {
  isAsked = true;
  if (isAtIt) return;
  isAtIt = true;
  while (isAsked) {
    isAsked = false;
    while (await consume());
  }
  isAtIt = false;
}
listener.on('notification', () => void work());
await listener.query('listen queue');

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
