import { execFile, execFileSync } from 'node:child_process';
import { chown, mkdir, readdir, readFile, realpath } from 'node:fs/promises';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createRunFolder } from './database-run-folder.ts';

const run = promisify(execFile);
const versionMin = 15;
const user = 'portolan-test';

/** Runs a program as somebody PostgreSQL accepts: it refuses to work for root. */
export interface Runner {
  readonly uid: number | undefined;
  readonly gid: number | undefined;
  command(file: string, args: readonly string[]): [string, string[]];
}

/** A PostgreSQL of our own. */
export interface PostgresServer {
  readonly url: string;
  /** Ends it as a crash of its machine's power would, but for what the disk loses. */
  crash(): Promise<void>;
  /** Starts it again on the same port. */
  startAgain(): Promise<void>;
  /** Ends it for good and removes its files. */
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL of our own on a free loopback port: made for speed, unless it is to be durable, and gone after `stop`. Servers that earlier runs
 * left behind are stopped first. `follows` makes it a streaming standby of another one.
 * @throws Error saying what to install when no PostgreSQL 15 or newer is found
 */
export async function startPostgres({
  isDurable = false,
  follows,
}: {
  readonly isDurable?: boolean;
  readonly follows?: Pick<PostgresServer, 'url'>;
} = {}): Promise<PostgresServer> {
  const programs = await findPrograms();
  const runner = await createRunner();
  const control = (args: readonly string[]): [string, string[]] => runner.command(join(programs, 'pg_ctl'), args);
  const stopServer = async (folder: string): Promise<void> => {
    const [file, args] = control(['stop', '-D', join(folder, 'data'), '-m', 'immediate', '-s']);
    await run(file, args, { cwd: '/' }).catch(() => undefined);
  };
  const folder = await createRunFolder('postgres', stopServer);
  const data = join(folder.folder, 'data');
  // When the run ends without a teardown (an exception, Ctrl-C) the server must not stay.
  const stopAtExit = (): void => {
    const [file, args] = control(['stop', '-D', data, '-m', 'immediate', '-s']);
    try {
      execFileSync(file, args, { cwd: '/', stdio: 'ignore' });
    } catch {}
  };
  try {
    await mkdir(data, { mode: 0o700 });
    if (runner.uid !== undefined && runner.gid !== undefined) await chown(data, runner.uid, runner.gid);
    const copy = ['-D', data, '-R', '-c', 'fast', '--no-sync', '-d', follows?.url ?? ''];
    const initdb = ['-D', data, '-U', 'portolan', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
    // what PATH links to is not all there is
    const installed = dirname(await realpath(join(programs, 'postgres')));
    const made: [string, string[]] = follows
      ? runner.command(join(installed, 'pg_basebackup'), copy)
      : runner.command(join(programs, 'initdb'), initdb);
    await run(...made, { cwd: '/' });
    process.once('exit', stopAtExit);
    const { port, options } = await start(control, data, isDurable);
    return {
      url: `postgresql://portolan@127.0.0.1:${port}/postgres`,
      crash: () => stopServer(folder.folder),
      startAgain: async () => {
        await run(...control(['start', '-w', '-s', '-D', data, '-l', join(data, 'server.log'), '-o', options]), {
          cwd: '/',
        });
      },
      async stop() {
        process.off('exit', stopAtExit);
        await folder.remove();
      },
    };
  } catch (error) {
    process.off('exit', stopAtExit);
    await folder.remove();
    throw error;
  }
}

async function start(
  control: (args: readonly string[]) => [string, string[]],
  data: string,
  isDurable: boolean,
): Promise<{ port: number; options: string }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const settings = [
      ['port', String(port)],
      ['listen_addresses', '127.0.0.1'],
      ['unix_socket_directories', data],
      ['max_connections', '300'],
      ['shared_buffers', '128MB'],
      ...(isDurable
        ? []
        : [
            ['fsync', 'off'],
            ['synchronous_commit', 'off'],
            ['full_page_writes', 'off'],
          ]),
      ['deadlock_timeout', '200ms'],
    ].map(([name, value]) => `-c ${name}=${value}`);
    const options = settings.join(' ');
    const log = join(data, 'server.log');
    try {
      const [file, args] = control(['start', '-w', '-s', '-D', data, '-l', log, '-o', options]);
      await run(file, args, { cwd: '/' });
      return { port, options };
    } catch (error) {
      // Somebody may have taken the port between our look and the server's.
      if (attempt < 3) continue;
      const said = await readFile(log, 'utf8').catch(() => '');
      throw new Error(`The PostgreSQL for the tests did not start:\n${said}`, { cause: error });
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** The folder with `initdb`, `pg_ctl` and `postgres`: from PATH, else the newest that Debian's packages installed. */
export async function findPrograms(): Promise<string> {
  const packaged = '/usr/lib/postgresql';
  const versions = (await readdir(packaged).catch(() => [])).sort((a, b) => Number(b) - Number(a));
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''),
    ...versions.map((version) => join(packaged, version, 'bin')),
    ...['/opt/homebrew/opt', '/usr/local/opt'].flatMap((base) =>
      [18, 17, 16, 15].map((version) => join(base, `postgresql@${version}`, 'bin')),
    ),
  ];
  for (const folder of folders) {
    const major = await majorVersion(folder);
    if (major !== undefined && major >= versionMin) return folder;
  }
  throw new Error(
    `The postgres tests need PostgreSQL ${versionMin} or newer (initdb, pg_ctl, postgres). Install it with ` +
      '`apt-get install postgresql` or `brew install postgresql@16`, or give the address of a server whose user may ' +
      'create databases in PORTOLAN_TEST_DATABASE_URL.',
  );
}

async function majorVersion(folder: string): Promise<number | undefined> {
  try {
    const [{ stdout }] = await Promise.all([
      run(join(folder, 'postgres'), ['--version']),
      run(join(folder, 'initdb'), ['--version']),
      run(join(folder, 'pg_ctl'), ['--version']),
    ]);
    return Number(/\) (\d+)/.exec(stdout)?.[1]);
  } catch {
    return undefined;
  }
}

export async function createRunner(): Promise<Runner> {
  if (process.getuid?.() !== 0) {
    return { uid: undefined, gid: undefined, command: (file, args) => [file, [...args]] };
  }
  const idOf = async (option: '-u' | '-g'): Promise<number> => Number((await run('id', [option, user])).stdout);
  let uid: number;
  try {
    uid = await idOf('-u');
  } catch {
    await run('useradd', ['--system', '--no-create-home', '--shell', '/bin/sh', user]);
    uid = await idOf('-u');
  }
  return { uid, gid: await idOf('-g'), command: (file, args) => ['runuser', ['-u', user, '--', file, ...args]] };
}
