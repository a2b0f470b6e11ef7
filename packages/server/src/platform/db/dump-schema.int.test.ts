import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { dumpSchema } from './dump-schema.ts';

test('the dump says everything about a table, in the same words on every engine', async () => {
  const given = await createTestDatabase();
  try {
    await given.database.transaction(async (tx) => {
      await tx.execute(sql`drop schema public cascade`);
      await tx.execute(sql`create schema public`);
      await tx.execute(sql`
        create table parts (
          org_id text not null,
          id bigint generated always as identity,
          "order" int not null default 1 check ("order" > 0),
          tags text[] not null default '{}',
          properties jsonb not null default '{}',
          price numeric(10,2),
          doubled numeric generated always as (price * 2) stored,
          state text not null default 'new' check (state in ('new', 'old')),
          at timestamptz not null default now(),
          primary key (org_id, id),
          constraint parts_order unique (org_id, "order")
        )`);
      await tx.execute(sql`create table a_first (id text primary key)`);
      await tx.execute(sql`create unique index parts_new on parts (org_id, lower(state)) where state = 'new'`);
      await tx.execute(sql`create index parts_properties on parts using gin (properties jsonb_path_ops)`);
      await tx.execute(sql`create view cheap as select id from parts where price < 10`);
      await tx.execute(sql`create function one() returns int language sql immutable as 'select 1'`);
    });
    expect(await dumpSchema(given.database)).toMatchInlineSnapshot(`
      "-- The database after every migration, read from its catalogs. Generated; change a migration instead.

      create table a_first (
        id text not null,
        constraint a_first_pkey PRIMARY KEY (id)
      );

      create table parts (
        org_id text not null,
        id bigint generated always as identity not null,
        "order" integer default 1 not null,
        tags text[] default '{}'::text[] not null,
        properties jsonb default '{}'::jsonb not null,
        price numeric(10,2),
        doubled numeric generated always as ((price * (2)::numeric)) stored,
        state text default 'new'::text not null,
        at timestamp with time zone default now() not null,
        constraint parts_pkey PRIMARY KEY (org_id, id),
        constraint parts_order UNIQUE (org_id, "order"),
        constraint parts_order_check CHECK (("order" > 0)),
        constraint parts_state_check CHECK ((state = ANY (ARRAY['new'::text, 'old'::text])))
      );
      CREATE UNIQUE INDEX parts_new ON public.parts USING btree (org_id, lower(state)) WHERE (state = 'new'::text);
      CREATE INDEX parts_properties ON public.parts USING gin (properties jsonb_path_ops);

      -- view cheap (id bigint);

      CREATE OR REPLACE FUNCTION public.one()
       RETURNS integer
       LANGUAGE sql
       IMMUTABLE
      AS $function$select 1$function$;
      "
    `);
  } finally {
    await given.drop();
  }
});

test('two dumps of one database are equal', async () => {
  const given = await createTestDatabase();
  try {
    const dump = await dumpSchema(given.database);
    expect(dump).toContain('create table jobs (\n  org_id text not null,\n');
    expect(dump).toContain('constraint jobs_pkey PRIMARY KEY (org_id, id)');
    expect(await dumpSchema(given.database)).toBe(dump);
  } finally {
    await given.drop();
  }
});
