import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import sql from 'sql-template-tag';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { onlyOn } from '../../../test/database.ts';
import { createDatabase } from './database.ts';
import { openEmbeddedEngine } from './embedded-engine.ts';
import { migrate } from './migrate.ts';
import { openPostgresEngine } from './postgres-engine.ts';

const moduleUrl = (name: string): string => new URL(`./${name}`, import.meta.url).href;
/** Writes numbers one by one and prints each once it is committed. */
const writer = `
  import sql from 'sql-template-tag';
  import { createDatabase } from '${moduleUrl('database.ts')}';
  import { openEmbeddedEngine } from '${moduleUrl('embedded-engine.ts')}';
  const database = createDatabase(await openEmbeddedEngine({ dataDir: process.argv[1] }));
  await database.transaction((tx) => tx.execute(sql\`create table if not exists written (id int primary key)\`));
  for (let id = Number(process.argv[2]); ; id += 1) {
    await database.transaction((tx) => tx.execute(sql\`insert into written values (\${id})\`));
    console.log(id);
  }
`;

let dataDir: string;
let children: ChildProcess[];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'portolan-embedded-'));
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

const useTemplate = async (): Promise<void> => {
  const address = inject('testDatabase');
  if (address.engine !== 'embedded') throw new Error('There is a template folder on the embedded engine alone');
  await cp(address.templateFolder, join(dataDir, 'db'), { recursive: true });
};

/** Lets a process write, kills it after some rows, and gives the last number it said was committed. */
async function writeAndKill(first: number, rows: number): Promise<number> {
  const script = ['--import', 'tsx', '--input-type=module', '-e', writer, dataDir, String(first)];
  const child = spawn(process.execPath, script, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  let last = -1;
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    if (last === first + rows) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return last;
}

onlyOn('embedded', 'it is about its folder and its thread', () => {
  test('everything that was committed is there after kill -9, again and again', async () => {
    await useTemplate();
    let next = 0;
    for (const rows of [30, 5]) next = (await writeAndKill(next, rows)) + 10;
    const database = createDatabase(await openEmbeddedEngine({ dataDir }));
    const written = await database.rows<{ id: number }>(sql`select id from written order by id`);
    // The last statement may have been committed without its acknowledgement reaching us.
    expect(written.map(({ id }) => id)).toEqual(
      expect.arrayContaining(range(0, 31).concat(range(next - 15, next - 9))),
    );
    await database.close();
  });

  test('a second engine on the folder is refused until the first is closed', async () => {
    await useTemplate();
    const first = await openEmbeddedEngine({ dataDir });
    await expect(openEmbeddedEngine({ dataDir })).rejects.toMatchObject({ name: 'FolderInUseError' });
    await first.close();
    const second = await openEmbeddedEngine({ dataDir });
    await second.close();
    expect(await readdir(dataDir)).toEqual(['db']);
  });

  test('what a killed first start left behind is cleared away, and the database is made', async () => {
    await mkdir(join(dataDir, 'db.new-1', 'base'), { recursive: true });
    const engine = await openEmbeddedEngine({ dataDir });
    expect(await migrate(engine, new URL('../../../migrations', import.meta.url).pathname)).not.toEqual([]);
    await engine.close();
    expect(await readdir(dataDir)).toEqual(['db']);
  });

  test('connections are lent in the order of asking', async () => {
    await useTemplate();
    const engine = await openEmbeddedEngine({ dataDir });
    const order: number[] = [];
    await Promise.all(
      range(0, 20).map(async (number) => {
        const connection = await engine.connect();
        order.push(number);
        await connection.query('select 1');
        connection.release();
        connection.release();
      }),
    );
    expect(order).toEqual(range(0, 20));
    await engine.close();
  });

  test('a thread that ends fails what is under way, and the next statement works', async () => {
    await useTemplate();
    const said: string[] = [];
    const log = { warn: (_context: unknown, message: string) => said.push(message) };
    const database = createDatabase(await openEmbeddedEngine({ dataDir, log, statementTimeoutMs: 500 }));
    await database.transaction((tx) => tx.execute(sql`create table kept (id int)`));
    const cut = database.transaction(async (tx) => {
      await tx.execute(sql`insert into kept values (1)`);
      await tx.rows(sql`select count(*) from generate_series(1, 1000000000)`);
    });
    const waiting = Promise.all([1, 2].map(() => database.rows(sql`select id from kept`)));
    await expect(cut).rejects.toMatchObject({ name: 'DatabaseError', code: '57014' });
    expect(await waiting).toEqual([[], []]);
    expect(said).toEqual(['the embedded database stopped and is started again']);
    await database.close();
  });

  test('a folder that cannot be opened is said so, and is not kept locked', async () => {
    await mkdir(join(dataDir, 'db'));
    await cp(new URL(import.meta.url).pathname, join(dataDir, 'db', 'PG_VERSION'));
    await expect(openEmbeddedEngine({ dataDir })).rejects.toThrow(/embedded database cannot be opened/);
    expect(await readdir(dataDir)).toEqual(['db']);
  });
});

onlyOn('postgres', 'there is no server to reach otherwise', () => {
  test('a server that cannot be reached ends the start with a sentence', async () => {
    const connectionString = 'postgresql://nobody@127.0.0.1:1/none';
    await expect(openPostgresEngine({ connectionString })).rejects.toThrow(
      /^The database cannot be reached: .*ECONNREF/,
    );
  });
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_none, index) => from + index);
}
