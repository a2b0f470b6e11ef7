import type pg from 'pg';
import { newId } from '../ids.ts';
import { StartError } from '../start-error.ts';
import { withinMs } from '../within.ts';

/** Longest wait for an answer that another client may hold up. */
const waitMs = 2_000;
const tries = 3;

type CreateClient = () => pg.Client;

/**
 * Refuses a pooler that changes the server between two transactions where none is expected: locks, notifications and
 * prepared statements would be those of others.
 * @throws StartError
 */
export async function refusePooling(create: CreateClient): Promise<void> {
  const isDirect = await withClient(create, async (client) => {
    // a pooler hands out process ids of its own
    return (client as unknown as { processID: number | null }).processID === (await processId(client));
  });
  if (isDirect) return;
  const isChanged = await withTwo(create, async (one, other) => {
    const first = await processId(one);
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      if ((await serverOfOther(one, other, first)) !== first) return true;
    }
    return false;
  });
  if (!isChanged) return;
  throw new StartError(
    'DATABASE_URL leads to a pooler that changes the server between transactions. Set DATABASE_POOLER=transaction, and DATABASE_DIRECT_URL to an address without the pooler.',
  );
}

/**
 * Looks at what a pooler in transaction mode offers.
 * @returns whether statements can be prepared through it (pgbouncer 1.21 or newer with `max_prepared_statements`)
 * @throws StartError if its sessions are not set up as Portolan needs them
 */
export async function examinePooler(create: CreateClient): Promise<{ readonly canPrepare: boolean }> {
  return withTwo(create, async (one, other) => {
    await refuseSettings(one);
    // a name of its own: behind an old pooler the servers keep what other replicas prepared
    const named = { name: newId('pooling_'), text: 'select pg_backend_pid() as pid' };
    const { rows } = await one.query<{ pid: number }>(named);
    const first = rows[0]?.pid ?? 0;
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      await other.query('begin');
      try {
        await processId(other);
        const again = await withinMs(one.query<{ pid: number }>(named), waitMs, 'The pooler has no second server');
        if (again.rows[0]?.pid !== first) return { canPrepare: true };
      } catch {
        return { canPrepare: false };
      } finally {
        await other.query('rollback').catch(() => undefined);
      }
    }
    return { canPrepare: false };
  });
}

/** A pooler takes no settings with a connection, so they stand with the role. */
async function refuseSettings(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ role: string; zone: string; statement: string; idle: string }>(`
    select quote_ident(current_user) as role, current_setting('TimeZone') as zone,
      current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle`);
  const found = rows[0];
  if (found && /^(UTC|Etc\/UTC|GMT)$/.test(found.zone) && found.statement !== '0' && found.idle !== '0') return;
  throw new StartError(
    `A pooler passes no settings on, and the role ${found?.role} lacks them. Run, and reload the pooler:\n` +
      ['TimeZone', 'statement_timeout', 'idle_in_transaction_session_timeout', 'jit']
        .map((name, index) => `  alter role ${found?.role} set ${name} = '${['UTC', '30s', '60s', 'off'][index]}';`)
        .join('\n'),
  );
}

/** The server of one client while another one is in a transaction; undefined if there is only one server for both. */
async function serverOfOther(one: pg.Client, other: pg.Client, first: number): Promise<number | undefined> {
  await other.query('begin');
  try {
    if ((await processId(other)) === first) return undefined;
    return await withinMs(processId(one), waitMs, 'The pooler has no second server').catch(() => undefined);
  } finally {
    await other.query('rollback');
  }
}

async function processId(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

async function withClient<T>(create: CreateClient, ask: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = create();
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await ask(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function withTwo<T>(create: CreateClient, ask: (one: pg.Client, other: pg.Client) => Promise<T>): Promise<T> {
  return withClient(create, (one) => withClient(create, (other) => ask(one, other)));
}
