import pg from 'pg';

/** Something that takes runs of some steps, each step durable before the next begins. */
export interface StepRunner {
  readonly name: string;
  run(runs: number): Promise<void>;
  close(): Promise<void>;
}

/** Jobs that each leave the next one in the commit that takes them, and record nothing else. */
export async function openJobChain(
  connectionString: string,
  { stepsEach, atOnce }: { readonly stepsEach: number; readonly atOnce: number },
): Promise<StepRunner> {
  const pool = new pg.Pool({ connectionString, max: atOnce });
  await pool.query(`
    create table if not exists bench_chain (
      id bigint generated always as identity primary key, left_over integer not null)`);
  const step = async (): Promise<boolean> => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const taken = await client.query<{ left_over: number }>(`
        delete from bench_chain where id = (select id from bench_chain order by id limit 1 for update skip locked)
        returning left_over`);
      const left = taken.rows[0]?.left_over ?? 0;
      if (left > 1) await client.query('insert into bench_chain (left_over) values ($1)', [left - 1]);
      await client.query('commit');
      return taken.rows.length > 0;
    } finally {
      client.release();
    }
  };
  const isEmpty = async () => (await pool.query('select 1 from bench_chain limit 1')).rows.length === 0;
  const work = async (): Promise<void> => {
    while ((await step()) || !(await isEmpty()));
  };
  return {
    name: 'plain job chain',
    async run(runs) {
      await pool.query('insert into bench_chain (left_over) select $1 from generate_series(1, $2)', [stepsEach, runs]);
      await Promise.all(Array.from({ length: atOnce }, work));
    },
    close: () => pool.end(),
  };
}
