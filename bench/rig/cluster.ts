import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../harness/processes.ts';
import { type Programs, serverProcesses, signalAll } from './programs.ts';

export type Setup = 'patroni' | 'multihost' | 'pgbouncer';

export interface Node {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly dataFolder: string;
  patroni: ChildProcess;
}

/** Three Patroni nodes with synchronous replication over one etcd member, HAProxy, and pgbouncer where it is asked for. */
export interface Cluster {
  readonly nodes: readonly Node[];
  /** What replicas of the product are told. */
  readonly settings: Readonly<Record<string, string>>;
  /** The node that takes writes. @throws Error if there is none within a minute */
  leader(): Promise<Node>;
  /** Resolves when both others stream from the leader and one of them is synchronous. */
  untilWhole(): Promise<Node>;
  /** SIGKILL to Patroni and every process of its PostgreSQL. */
  kill(node: Node): void;
  startAgain(node: Node): Promise<void>;
  /** Hands the lead over as an administrator does. */
  switchOver(from: Node): Promise<void>;
  /** The processes of a node's PostgreSQL stand still, and go on after `resume`. */
  stall(node: Node): void;
  resume(node: Node): void;
  restartPooler(): Promise<void>;
  /** A connection to the database on one node. */
  connect(node: Node): Promise<pg.Client>;
  close(): Promise<void>;
}

const user = 'portolan';
const database = 'portolan';
const host = '127.0.0.1';
/** Patroni takes no shorter ones: a leader's key lives for 20 s at least, which is how long a killed one is waited for. */
const times = { ttl: 20, loopWait: 2, retryTimeout: 5 };

export async function startCluster(programs: Programs, setup: Setup, folder: string): Promise<Cluster> {
  const started: ChildProcess[] = [];
  const keep = (child: ChildProcess): ChildProcess => {
    started.push(child);
    return child;
  };
  const ownFolder = async (name: string): Promise<string> => {
    const path = join(folder, name);
    await mkdir(path, { mode: 0o700 });
    if (programs.owner) await chown(path, programs.owner.uid, programs.owner.gid);
    return path;
  };

  const [etcdPort, peerPort] = [await freePort(), await freePort()];
  const peer = `http://${host}:${peerPort}`;
  const client = `http://${host}:${etcdPort}`;
  keep(
    programs.start('etcd', [
      ...['--data-dir', await ownFolder('etcd'), '--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`],
    ]),
  );

  const nodes: Node[] = [];
  const startPatroni = (name: string): ChildProcess => keep(programs.start('patroni', [join(folder, `${name}.yml`)]));
  for (const name of ['node1', 'node2', 'node3']) {
    const base = await ownFolder(name);
    const node = { name, port: await freePort(), restPort: await freePort(), dataFolder: join(base, 'data') };
    await writeFile(join(folder, `${name}.yml`), patroniSettings(node, base, etcdPort, programs.postgresFolder));
    nodes.push({ ...node, patroni: startPatroni(name) });
  }

  const connect = async (node: Node, name = database): Promise<pg.Client> => {
    const url = `postgresql://${user}@${host}:${node.port}/${name}`;
    const one = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    one.on('error', () => undefined);
    await one.connect();
    return one;
  };
  const roles = async (node: Node): Promise<Record<string, unknown>> => {
    const answer = await fetch(`http://${host}:${node.restPort}/cluster`, { signal: AbortSignal.timeout(2_000) });
    return (await answer.json()) as Record<string, unknown>;
  };
  const isPrimary = async (node: Node): Promise<boolean> =>
    fetch(`http://${host}:${node.restPort}/primary`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ status }) => status === 200,
      () => false,
    );
  const leader = (): Promise<Node> =>
    until('a node leads', async () => {
      for (const node of nodes) if (await isPrimary(node)) return node;
      return undefined;
    });

  const haproxyPort = await freePort();
  await writeFile(join(folder, 'haproxy.cfg'), haproxySettings(haproxyPort, nodes));
  keep(programs.start('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')]));

  const hosts = nodes.map(({ port }) => `${host}:${port}`).join(',');
  const multihost = `postgresql://${user}@${hosts}/${database}?target_session_attrs=read-write`;
  const poolerPort = await freePort();
  let pooler: ChildProcess | undefined;
  const startPooler = async (): Promise<void> => {
    pooler = keep(programs.start('pgbouncer', [join(folder, 'pgbouncer.ini')]));
    await until('pgbouncer answers', async () => {
      const one = new pg.Client({ connectionString: `postgresql://${user}@${host}:${poolerPort}/${database}` });
      one.on('error', () => undefined);
      return one.connect().then(
        () => one.end().then(() => true),
        () => undefined,
      );
    });
  };

  const untilWhole = (): Promise<Node> =>
    until('two standbys stream, one of them synchronously', async () => {
      const node = await leader();
      const { members } = (await roles(node).catch(() => ({ members: [] }))) as {
        members: { role: string; state: string }[];
      };
      const one = await connect(node);
      try {
        const { rows } = await one.query<{ sync_state: string }>(
          `select sync_state from pg_stat_replication where state = 'streaming' and application_name like 'node%'`,
        );
        const isWhole = rows.length === 2 && rows.some((row) => row.sync_state === 'sync');
        return isWhole && members.length === 3 ? node : undefined;
      } finally {
        await one.end();
      }
    });

  const end = (): void => {
    signalAll(
      started.flatMap(({ pid }) => pid ?? []),
      'SIGKILL',
    );
    for (const { dataFolder } of nodes) signalAll(serverProcesses(dataFolder), 'SIGKILL');
  };
  // PostgreSQL is no child of ours and would stay; before its folder goes
  process.prependOnceListener('exit', end);
  const close = async (): Promise<void> => {
    end();
    await sleep(300);
  };

  try {
    const first = await leader();
    const admin = await connect(first, 'postgres');
    await admin.query(`create database ${database}`);
    for (const [name, value] of [
      ['TimeZone', 'UTC'],
      ['statement_timeout', '30s'],
      ['idle_in_transaction_session_timeout', '60s'],
      ['jit', 'off'],
    ]) {
      await admin.query(`alter role ${user} in database ${database} set ${name} = '${value}'`);
    }
    await admin.end();
    await untilWhole();
    if (setup === 'pgbouncer') {
      const isNew = atLeast(await programs.version('pgbouncer'), [1, 21]);
      await writeFile(join(folder, 'users'), `"${user}" ""\n`);
      await writeFile(join(folder, 'pgbouncer.ini'), poolerSettings(poolerPort, haproxyPort, folder, isNew));
      await startPooler();
    }
  } catch (error) {
    await close();
    throw error;
  }

  return {
    nodes,
    settings: {
      patroni: { DATABASE_URL: `postgresql://${user}@${host}:${haproxyPort}/${database}` },
      multihost: { DATABASE_URL: multihost },
      pgbouncer: {
        DATABASE_URL: `postgresql://${user}@${host}:${poolerPort}/${database}`,
        DATABASE_POOLER: 'transaction',
        DATABASE_DIRECT_URL: multihost,
      },
    }[setup] as unknown as Record<string, string>,
    leader,
    untilWhole,
    kill(node) {
      // found first: they are nobody's children once the postmaster is gone
      const pids = serverProcesses(node.dataFolder);
      signalAll([node.patroni.pid ?? 0, ...pids], 'SIGKILL');
    },
    async startAgain(node) {
      node.patroni = startPatroni(node.name);
      await untilWhole();
    },
    async switchOver(from) {
      const answer = await fetch(`http://${host}:${from.restPort}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: from.name }),
      });
      if (answer.status >= 300) throw new Error(`The switchover was answered ${answer.status}: ${await answer.text()}`);
    },
    stall: (node) => signalAll(serverProcesses(node.dataFolder), 'SIGSTOP'),
    resume: (node) => signalAll(serverProcesses(node.dataFolder), 'SIGCONT'),
    async restartPooler() {
      const ended = once(pooler as ChildProcess, 'exit');
      pooler?.kill('SIGKILL');
      await ended;
      await startPooler();
    },
    connect,
    close,
  };
}

/** @throws Error with what was waited for */
async function until<T>(what: string, ask: () => Promise<T | undefined>, longestMs = 90_000): Promise<T> {
  for (const deadline = Date.now() + longestMs; Date.now() < deadline; ) {
    const found = await ask().catch(() => undefined);
    if (found !== undefined) return found;
    await sleep(200);
  }
  throw new Error(`Waited ${longestMs / 1000} s in vain until ${what}`);
}

function atLeast(version: string, least: readonly [number, number]): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > least[0] || (major === least[0] && minor >= least[1]);
}

function patroniSettings(
  { name, port, restPort, dataFolder }: Pick<Node, 'name' | 'port' | 'restPort' | 'dataFolder'>,
  base: string,
  etcdPort: number,
  programs: string,
): string {
  return `scope: portolan
name: ${name}
restapi: { listen: '${host}:${restPort}', connect_address: '${host}:${restPort}' }
etcd3: { hosts: '${host}:${etcdPort}' }
bootstrap:
  dcs:
    ttl: ${times.ttl}
    loop_wait: ${times.loopWait}
    retry_timeout: ${times.retryTimeout}
    primary_start_timeout: 0
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      use_slots: true
      parameters:
        max_connections: 200
        shared_buffers: 128MB
        wal_log_hints: 'on'
        wal_keep_size: 256MB
        fsync: 'on'
        synchronous_commit: 'on'
  initdb: [{ encoding: UTF8 }, { locale: C.UTF-8 }]
  pg_hba: [local all all trust, host all all ${host}/32 trust, host replication all ${host}/32 trust]
postgresql:
  listen: '${host}:${port}'
  connect_address: '${host}:${port}'
  data_dir: '${dataFolder}'
  bin_dir: '${programs}'
  pgpass: '${base}/pgpass'
  basebackup: [{ checkpoint: fast }]
  pg_hba: [local all all trust, host all all ${host}/32 trust, host replication all ${host}/32 trust]
  parameters: { unix_socket_directories: '${base}' }
  authentication:
    superuser: { username: ${user}, password: rig }
    replication: { username: replicator, password: rig }
`;
}

function haproxySettings(port: number, nodes: readonly Node[]): string {
  const servers = nodes.map((node) => `  server ${node.name} ${host}:${node.port} check port ${node.restPort}`);
  return `global
  maxconn 500
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen database
  bind ${host}:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}

function poolerSettings(port: number, serverPort: number, folder: string, keepsStatements: boolean): string {
  return `[databases]
${database} = host=${host} port=${serverPort} dbname=${database}
[pgbouncer]
listen_addr = ${host}
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = transaction
max_client_conn = 300
default_pool_size = 40
server_login_retry = 1
query_wait_timeout = 10
${keepsStatements ? 'max_prepared_statements = 500\n' : ''}`;
}
