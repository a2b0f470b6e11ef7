import sql from 'sql-template-tag';
import { expect } from 'vitest';
import type { Database, Tx } from '../src/platform/db/database.ts';

interface Held {
  /** Takes the locks. */
  readonly begin: (tx: Tx) => Promise<unknown>;
  /** What it does once somebody waits for it. */
  readonly end?: (tx: Tx) => Promise<unknown>;
}

/** The result of what runs into a transaction of ours, which commits once it is waited for. */
export async function besideTransaction<Result>(
  database: Pick<Database, 'transaction'>,
  { begin, end }: Held,
  meanwhile: () => Promise<Result>,
): Promise<Result> {
  let writing: Promise<unknown> = Promise.resolve();
  await new Promise<void>((begun) => {
    writing = database.transaction(async (tx) => {
      await begin(tx);
      begun();
      const isAwaited = async () =>
        (await tx.rows(sql`select 1 from pg_locks where not granted /* all organizations */`)).length > 0;
      await expect.poll(isAwaited, { timeout: 20_000 }).toBe(true);
      await end?.(tx);
    });
  });
  const [result] = await Promise.all([meanwhile(), writing]);
  return result;
}
