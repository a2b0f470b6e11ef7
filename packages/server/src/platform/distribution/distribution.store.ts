import type { Connection } from '../db/engine.ts';
import type { Place } from './table-places.ts';

/** A table of the database; `parents` are those that its foreign keys name. */
export interface FoundTable {
  readonly name: string;
  readonly hasOrganization: boolean;
  readonly parents: readonly string[];
}

/** The version of Citus in this database, as `13.2-1`; undefined where there is none. */
export async function readCitusVersion(connection: Connection): Promise<string | undefined> {
  const { rows } = await connection.query(`select extversion as version from pg_extension where extname = 'citus'`);
  return rows[0]?.['version'] as string | undefined;
}

export interface Nodes {
  readonly workers: number;
  /** Whether the workers know the coordinator's address; tables that lie on every node need it. */
  readonly hasCoordinator: boolean;
}

export async function readNodes(connection: Connection): Promise<Nodes> {
  const { rows } = await connection.query(`
    select count(*) filter (where groupid <> 0)::int as workers, coalesce(bool_or(groupid = 0), false) as "hasCoordinator"
    from pg_dist_node where noderole = 'primary' and isactive`);
  return rows[0] as unknown as Nodes;
}

export async function listTables(connection: Connection): Promise<readonly FoundTable[]> {
  const { rows } = await connection.query(`
    select c.relname as name,
      exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped)
        as "hasOrganization",
      array(select distinct p.relname::text from pg_constraint k join pg_class p on p.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and p.oid <> c.oid order by 1) as parents
    from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace order by c.relname`);
  return rows as unknown as readonly FoundTable[];
}

/** Where Citus has each table that it knows. A new one whose foreign key names a divided table is known, and not divided. */
export async function listDistributed(connection: Connection): Promise<ReadonlyMap<string, Place>> {
  const { rows } = await connection.query(`
    select c.relname as name,
      case when p.partmethod = 'h' then 'organization' when p.repmodel = 't' then 'reference' else 'joined' end as place
    from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where c.relnamespace = current_schema()::regnamespace`);
  return new Map(rows.map(({ name, place }) => [name as string, place as Place]));
}

/** Our functions that the workers do not have yet, as `name(types)`. */
export async function listFunctions(connection: Connection): Promise<readonly string[]> {
  const { rows } = await connection.query(`
    select p.oid::regprocedure::text as signature from pg_proc p
    where p.pronamespace = current_schema()::regnamespace and p.prokind = 'f'
      and not exists (select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
      and not exists (select 1 from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)
    order by 1`);
  return rows.map(({ signature }) => signature as string);
}

export async function divideTable(connection: Connection, table: string, beside: string | undefined): Promise<void> {
  await connection.query(`select create_distributed_table($1::regclass, 'org_id', colocate_with => $2)`, [
    table,
    beside ?? 'none',
  ]);
}

export async function copyTable(connection: Connection, table: string): Promise<void> {
  await connection.query('select create_reference_table($1::regclass)', [table]);
}

export async function makeKnown(connection: Connection, table: string): Promise<void> {
  await connection.query('select citus_add_local_table_to_metadata($1::regclass)', [table]);
}

export async function copyFunction(connection: Connection, signature: string): Promise<void> {
  await connection.query('select create_distributed_function($1::regprocedure)', [signature]);
}

/** Frees what the rows took on the coordinator, which are on the workers by now. */
export async function freeCoordinator(connection: Connection, table: string): Promise<void> {
  await connection.query('select truncate_local_data_after_distributing_table($1::regclass)', [table]);
}
