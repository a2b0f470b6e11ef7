import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const startMs = 120_000;

/** How every replica of a run is set up. */
export interface ReplicaSettings {
  readonly databaseUrl: string;
  readonly folder: string;
  /** From `packages/server/dist`, as it is shipped; else from the sources. */
  readonly isBuilt: boolean;
  /** The checkout of another release that was built, instead of this one. */
  readonly release?: string | undefined;
  readonly settings?: Readonly<Record<string, string>>;
}

export interface Replica {
  readonly port: number;
  readonly child: ChildProcess;
  /** SIGTERM; answers how long it took to end, and the exit code. */
  stop(): Promise<{ readonly ms: number; readonly code: number | null }>;
}

/** Of every server of ours that is started. */
export const credentials = { clientId: 'bench', clientSecret: 'bench-secret-of-the-benchmark' };
export const operatorToken = 'operator-token-of-the-benchmark';

/** Starts a process of the product and waits until it is ready. */
export async function startReplica(
  port: number,
  { databaseUrl, folder, isBuilt, release, settings }: ReplicaSettings,
): Promise<Replica> {
  const program =
    isBuilt || release !== undefined
      ? [join(release ?? root, 'packages/server/dist/main.js')]
      : ['--conditions=portolan-source', '--import', 'tsx', join(root, 'packages/server/src/main.ts')];
  const child = spawn(process.execPath, program, {
    cwd: release ?? root,
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      PORTOLAN_DATA_DIR: join(folder, String(port)),
      PORTOLAN_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      PORTOLAN_OPERATOR_TOKEN: operatorToken,
      PORTOLAN_CLIENT_ID: credentials.clientId,
      PORTOLAN_CLIENT_SECRET: credentials.clientSecret,
      PORTOLAN_DEMO: '0',
      PORTOLAN_LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stopAtExit = (): void => void child.kill('SIGKILL');
  process.once('exit', stopAtExit);
  const ended = once(child, 'exit');
  for (const deadline = Date.now() + startMs; ; ) {
    const answer = await send(port, 'GET', '/ready').catch(() => undefined);
    if (answer?.status === 200) break;
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`The replica on port ${port} did not start`);
    await sleep(100);
  }
  return {
    port,
    child,
    async stop() {
      process.off('exit', stopAtExit);
      const begunMs = performance.now();
      child.kill('SIGTERM');
      await ended;
      return { ms: performance.now() - begunMs, code: child.exitCode };
    },
  };
}

export interface TimedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly ms: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 2_000 });

/** One request, not repeated whatever becomes of it. Rejects when the transport fails. */
export function send(
  port: number,
  method: string,
  path: string,
  { token, body }: { readonly token?: string; readonly body?: unknown } = {},
): Promise<TimedAnswer> {
  const begunMs = performance.now();
  const content = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(content === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) }),
    };
    const asked = request({ host: '127.0.0.1', port, method, path, agent, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: text,
          ms: performance.now() - begunMs,
        });
      });
    });
    asked.on('error', reject);
    asked.end(content);
  });
}

/** A token of an organization of the installation; made first if it is not the one of the credentials. */
export async function fetchToken(port: number, given = credentials): Promise<string> {
  const { body } = await send(port, 'POST', '/v1/auth/access_token', { body: given });
  return String((JSON.parse(body) as { accessToken?: unknown }).accessToken);
}

export async function newOrganization(port: number, name: string): Promise<string> {
  const created = await send(port, 'POST', '/v1/operator/organizations', { token: operatorToken, body: { name } });
  return fetchToken(port, (JSON.parse(created.body) as { credentials: typeof credentials }).credentials);
}

/** Sets the quotas of the installation's first organization so high that no run meets them. */
export async function liftQuotas(port: number): Promise<void> {
  const listed = await send(port, 'GET', '/v1/operator/organizations', { token: operatorToken });
  const [organization] = (JSON.parse(listed.body) as { organizations: { id: string }[] }).organizations;
  const most = 1_000_000_000;
  const quotas = { monthlyInvocations: most, hourlyRequests: most, hourlyTokens: most };
  await send(port, 'PATCH', `/v1/operator/organizations/${organization?.id}`, {
    token: operatorToken,
    body: { quotas },
  });
}
