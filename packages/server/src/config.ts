import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { backupContradictions, backupEnvironment, backupSettings, readBackupPlan } from './config-backups.ts';
import {
  type AiConfig,
  type ModelConfig,
  modelContradictions,
  modelEnvironment,
  modelSettings,
  readAiConfig,
  readModelConfig,
} from './config-models.ts';
import {
  readTelemetryConfig,
  type TelemetryConfig,
  telemetryEnvironment,
  telemetrySettings,
} from './config-telemetry.ts';
import type { BackupPlan } from './modules/backups/index.ts';
import { readServers } from './platform/db/addresses.ts';
import { isCertificate, splitCertificates } from './platform/outgoing/certificates.ts';
import type { Setting } from './setting.ts';
import { finishMs } from './stop-app.ts';

/** Every setting the server reads. Each also has a `…_FILE` variant that names a file holding the value. */
export const settings: readonly Setting[] = [
  { name: 'PORT', default: '3000', description: 'Port to listen on; 0 takes a free one.' },
  { name: 'HOST', default: '127.0.0.1', description: 'Address to listen on.' },
  {
    name: 'PORTOLAN_PUBLIC_URL',
    default: 'http://HOST:PORT',
    description: 'The address that people and callbacks use; it stands in every link the platform gives out.',
  },
  {
    name: 'PORTOLAN_TRUSTED_PROXIES',
    default: '(none)',
    description:
      'Addresses or CIDR ranges of your reverse proxies, comma-separated. Their `X-Forwarded-For` is believed, so that attempts to guess secrets are counted per caller and not per proxy.',
  },
  {
    name: 'PORTOLAN_DATA_DIR',
    default: '.portolan',
    description: 'Folder of the embedded database, the generated secrets and the lock file.',
  },
  {
    name: 'DATABASE_URL',
    default: '(embedded database)',
    description:
      'Address of a PostgreSQL 15 or newer. With it any number of replicas may run. Several hosts are allowed (`postgres://user@one:5432,two:5432/portolan`): the one that takes writes is used.',
    isSecret: true,
  },
  {
    name: 'DATABASE_DIRECT_URL',
    default: '`DATABASE_URL`',
    description:
      'Address without the pooler, for migrations, notifications and building indexes. Required with `DATABASE_POOLER=transaction`.',
    isSecret: true,
  },
  {
    name: 'DATABASE_READ_URL',
    default: '(none)',
    description:
      'Streaming standbys of the database (`postgresql://user@one:5432,two:5432/portolan`, each reached without a pooler), which answer searches, lists and figures for callers who have seen no more than they have. Rights, sign-in and all writes stay with `DATABASE_URL`.',
    isSecret: true,
  },
  {
    name: 'PORTOLAN_READ_STALENESS_MS',
    default: '(none)',
    description:
      'How old answers of a standby may be, 1000 to 600000, for clients that do not say what they have seen. Without it their reads go to `DATABASE_URL`. Needs `DATABASE_READ_URL`.',
  },
  {
    name: 'DATABASE_POOLER',
    default: 'none',
    description: '`transaction` if `DATABASE_URL` is that of a pooler in transaction mode (pgbouncer 1.21 or newer).',
  },
  {
    name: 'DATABASE_POOL_SIZE',
    default: '10',
    description: 'Connections of each process to the database, 2 to 200; two more listen and probe.',
  },
  {
    name: 'PORTOLAN_ROLE',
    default: 'all',
    description:
      '`all`, `web` (no background work), `worker` (no API) or `migrate`, which brings the database up to date, makes the first organization if there is none, and ends.',
  },
  {
    name: 'PORTOLAN_DEMO',
    default: '1',
    description:
      '`1` fills an empty installation with the demo organization, `0` starts with an empty one, `beside` with an empty one and the demo as a second organization that can be removed. Counts when the first organization is made.',
  },
  {
    name: 'PORTOLAN_CLIENT_ID',
    default: '(generated)',
    description: 'Client id of the first organization, an administrator.',
  },
  {
    name: 'PORTOLAN_CLIENT_SECRET',
    default: '(generated)',
    description:
      'Client secret of the first organization. Generated ones are printed once and kept in the data folder.',
    isSecret: true,
  },
  {
    name: 'PORTOLAN_ADMIN_EMAIL',
    default: '(generated)',
    description: 'E-mail address of the first portal user, an administrator; `admin@portolan.local` unless set.',
  },
  {
    name: 'PORTOLAN_ADMIN_PASSWORD',
    default: '(generated)',
    description:
      'Password of the first portal user, counted when the first organization is made. A generated one is printed once and kept in the data folder.',
    isSecret: true,
  },
  {
    name: 'PORTOLAN_OPERATOR_TOKEN',
    default: '(generated)',
    description: 'Unlocks `/v1/operator/*`.',
    isSecret: true,
  },
  {
    name: 'PORTOLAN_MASTER_KEY',
    default: '(generated)',
    description: '32 bytes in base64 that seal secrets and sign tokens. Required together with `DATABASE_URL`.',
    isSecret: true,
  },
  ...modelSettings,
  {
    name: 'PORTOLAN_ALLOW_PRIVATE_NETWORK',
    default: '0',
    description: '`1` lets addresses that users enter (webhooks, connectors) point at private and loopback ranges.',
  },
  {
    name: 'PORTOLAN_PRIVATE_HOSTS',
    default: '(none)',
    description:
      'Names, addresses or CIDR ranges in your own network that addresses entered by users may point at although the rest of it stays closed, comma-separated: `git.corp.example,10.20.0.0/16`.',
  },
  {
    name: 'PORTOLAN_EXTRA_CA',
    default: '(none)',
    description:
      'Certificates (PEM, one after another) of your own authorities, for servers that sources, webhooks, connectors and sign-in reach by https; beside those that Node.js trusts. Usually by `PORTOLAN_EXTRA_CA_FILE=/etc/ssl/corp.pem`.',
  },
  {
    name: 'PORTOLAN_DRAIN_SECONDS',
    default: '(10 with `DATABASE_URL`, else 0)',
    description:
      'How long a process that gets SIGTERM goes on serving while `/ready` answers 503: at least as long as the time between two probes of the proxy in front. What was begun then has 15 s to end; with `0`, and after Ctrl-C (SIGINT), 6 s.',
  },
  {
    name: 'PORTOLAN_METRICS_PORT',
    default: '(none)',
    description:
      'One more port, which answers `/health`, `/ready` and `/metrics` and nothing else; also for a process with `PORTOLAN_ROLE=worker`.',
  },
  ...backupSettings,
  { name: 'PORTOLAN_AUDIT_DAYS', default: '365', description: 'Days that the audit log is kept.' },
  {
    name: 'PORTOLAN_KAFKA_BROKERS',
    default: '(none)',
    description:
      'Addresses (`host:port`, comma-separated) of an Apache Kafka. Runs of `KAFKA` actions and of webhooks with `agent: true` go to its topic `<organization>.runs`, changes to `<organization>.change.log`; without it such runs fail and say so.',
  },
  {
    name: 'PORTOLAN_SMTP_URL',
    default: '(none)',
    description:
      'Mail server that tells approvers and invited people: `smtp://` (with STARTTLS if the server offers it; `?requireTLS=true` insists) or `smtps://`, with user and password. Without it no e-mail is sent.',
    isSecret: true,
  },
  {
    name: 'PORTOLAN_SMTP_FROM',
    default: '(none)',
    description: 'Address that e-mail is sent from; required with `PORTOLAN_SMTP_URL`.',
  },
  { name: 'PORTOLAN_RUN_DAYS', default: '365', description: 'Days that runs of actions are kept after they ended.' },
  {
    name: 'PORTOLAN_UNDO_DAYS',
    default: '7',
    description:
      'Days in which a data migration, and that of users and teams, can be undone; as long as that, what was before is kept.',
  },
  ...telemetrySettings,
  { name: 'PORTOLAN_LOG_LEVEL', default: 'info', description: '`fatal`, `error`, `warn`, `info`, `debug` or `trace`.' },
];

/** Never says the address, which holds a password. */
const databaseAddress = z.string().superRefine((value, context) => {
  try {
    readServers(value);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as TypeError).message });
  }
});

const flag = (fallback: boolean) =>
  z
    .enum(['0', '1'], { error: 'must be 0 or 1' })
    .optional()
    .transform((value) => (value === undefined ? fallback : value === '1'));

const environmentSchema = z.object({
  PORT: z.coerce.number({ error: 'must be a port number' }).int().min(0).max(65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  PORTOLAN_PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }).optional(),
  PORTOLAN_TRUSTED_PROXIES: z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .refine((list) => list.every(isAddressRange), {
      error: 'must be IP addresses or CIDR ranges such as 10.0.0.0/8, separated by commas',
    })
    .optional(),
  PORTOLAN_DATA_DIR: z.string().default('.portolan'),
  DATABASE_URL: databaseAddress.optional(),
  DATABASE_DIRECT_URL: databaseAddress.optional(),
  DATABASE_READ_URL: databaseAddress.optional(),
  PORTOLAN_READ_STALENESS_MS: z.coerce
    .number({ error: 'must be a number of milliseconds' })
    .int()
    .min(1_000, { error: 'must be at least 1000' })
    .max(600_000, { error: 'must be at most 600000' })
    .optional(),
  DATABASE_POOLER: z.enum(['none', 'transaction'], { error: 'must be none or transaction' }).default('none'),
  DATABASE_POOL_SIZE: z.coerce
    .number({ error: 'must be a number of connections' })
    .int()
    .min(2, { error: 'must be at least 2' })
    .max(200, { error: 'must be at most 200' })
    .default(10),
  PORTOLAN_ROLE: z.enum(['all', 'web', 'worker', 'migrate']).default('all'),
  PORTOLAN_DEMO: z.enum(['0', '1', 'beside'], { error: 'must be 0, 1 or beside' }).default('1'),
  PORTOLAN_CLIENT_ID: z.string().min(1).max(500).optional(),
  PORTOLAN_CLIENT_SECRET: z.string().min(1).max(1000).optional(),
  PORTOLAN_ADMIN_EMAIL: z.email({ error: 'must be an e-mail address' }).optional(),
  PORTOLAN_ADMIN_PASSWORD: z.string().min(8, { error: 'must have at least 8 characters' }).optional(),
  PORTOLAN_OPERATOR_TOKEN: z.string().min(16, { error: 'must have at least 16 characters' }).optional(),
  PORTOLAN_MASTER_KEY: z
    .string()
    .refine((value) => Buffer.from(value, 'base64').length === 32, { error: 'must be 32 bytes in base64' })
    .optional(),
  ...modelEnvironment,
  PORTOLAN_ALLOW_PRIVATE_NETWORK: flag(false),
  PORTOLAN_PRIVATE_HOSTS: z
    .string()
    .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
    .refine((list) => list.every((each) => isAddressRange(each) || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(each)), {
      error: 'must be host names, IP addresses or CIDR ranges, separated by commas',
    })
    .optional(),
  PORTOLAN_EXTRA_CA: z
    .string()
    .transform(splitCertificates)
    .refine((list) => list.length > 0 && list.every(isCertificate), { error: 'must be certificates in PEM' })
    .optional(),
  PORTOLAN_DRAIN_SECONDS: z.coerce.number({ error: 'must be a number of seconds' }).min(0).max(300).optional(),
  PORTOLAN_METRICS_PORT: z.coerce.number({ error: 'must be a port number' }).int().min(1).max(65_535).optional(),
  ...backupEnvironment,
  PORTOLAN_AUDIT_DAYS: z.coerce.number({ error: 'must be a number of days' }).int().min(1).max(36_500).default(365),
  PORTOLAN_KAFKA_BROKERS: z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .refine((list) => list.every((address) => /^[^\s/@]+:\d{1,5}$/.test(address)), {
      error: 'must be host:port, several separated by commas',
    })
    .optional(),
  PORTOLAN_UNDO_DAYS: z.coerce.number({ error: 'must be a number of days' }).int().min(0).max(365).default(7),
  PORTOLAN_SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
  PORTOLAN_SMTP_FROM: z.email({ error: 'must be an e-mail address' }).optional(),
  PORTOLAN_RUN_DAYS: z.coerce.number({ error: 'must be a number of days' }).int().min(1).max(36_500).default(365),
  ...telemetryEnvironment,
  PORTOLAN_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
});

function isAddressRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const widest = { 0: -1, 4: 32, 6: 128 }[isIP(address) as 0 | 4 | 6];
  if (widest < 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widest);
}

type Environment = z.output<typeof environmentSchema>;

/** Settings after reading: every value checked, nothing generated yet. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly publicUrl: string | undefined;
  readonly trustedProxies: readonly string[];
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly databaseDirectUrl: string | undefined;
  /** Standbys, and how old what they answer without a position may be. */
  readonly reads: { readonly connectionString: string; readonly stalenessMs: number | undefined } | undefined;
  readonly databasePooler: 'none' | 'transaction';
  readonly databasePoolSize: number;
  readonly role: 'all' | 'web' | 'worker' | 'migrate';
  /** What the first organization is: the demo, an empty one, or an empty one with the demo beside it. */
  readonly first: 'demo' | 'empty' | 'beside';
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  readonly adminEmail: string | undefined;
  readonly adminPassword: string | undefined;
  readonly operatorToken: string | undefined;
  readonly masterKey: string | undefined;
  readonly model: ModelConfig;
  readonly ai: AiConfig;
  /** Where spans are sent; nowhere if absent. */
  readonly telemetry: TelemetryConfig | undefined;
  readonly allowsPrivateNetwork: boolean;
  readonly privateHosts: readonly string[];
  /** Of authorities that are trusted besides, in PEM. */
  readonly extraCertificates: readonly string[];
  /** How long a stop goes on serving. */
  readonly drainMs: number;
  /** How long what was begun may go on after that. */
  readonly finishMs: number;
  readonly metricsPort: number | undefined;
  readonly backups: BackupPlan | undefined;
  readonly auditDays: number;
  readonly runDays: number;
  readonly undoDays: number;
  readonly kafkaBrokers: readonly string[];
  /** The mail server; undefined where no e-mail is sent. */
  readonly smtp: { readonly url: string; readonly from: string } | undefined;
  readonly logLevel: Environment['PORTOLAN_LOG_LEVEL'];
}

/** The start cannot go on; the message has one sentence for each setting that is wrong. */
export class ConfigError extends Error {
  constructor(sentences: readonly string[]) {
    super(sentences.join('\n'));
    this.name = 'ConfigError';
  }
}

/**
 * Reads the environment: the only place that does. Empty values count as unset.
 * @throws ConfigError with every problem, not the first
 */
export function readConfig(environment: NodeJS.ProcessEnv, workingDirectory: string): Config {
  const problems: string[] = [];
  const values = Object.fromEntries(
    settings.flatMap(({ name }) => {
      const value = readValue(environment, name, problems);
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
  const parsed = environmentSchema.safeParse(values);
  if (!parsed.success) {
    problems.push(...parsed.error.issues.map((issue) => `${String(issue.path[0])} ${sentence(issue.message)}`));
  }
  if (parsed.success) problems.push(...contradictions(parsed.data));
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems);
  return toConfig(parsed.data, workingDirectory);
}

/**
 * The same for work on a database that no server has open: what a server would do with it does not count, and no master key
 * is needed. @throws ConfigError
 */
export function readOfflineConfig(environment: NodeJS.ProcessEnv, workingDirectory: string): Config {
  const { DATABASE_URL, DATABASE_URL_FILE: _file, PORTOLAN_ROLE: _role, ...rest } = environment;
  return { ...readConfig(rest, workingDirectory), databaseUrl: DATABASE_URL };
}

function readValue(environment: NodeJS.ProcessEnv, name: string, problems: string[]): string | undefined {
  const file = environment[`${name}_FILE`];
  if (!file) return environment[name];
  if (environment[name]) problems.push(`${name} and ${name}_FILE are both set; keep one.`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    problems.push(`${name}_FILE names ${file}, which cannot be read.`);
    return undefined;
  }
}

function sentence(message: string): string {
  return message.startsWith('must') ? `${message}.` : `is not valid: ${message}.`;
}

function contradictions(values: Environment): string[] {
  const problems = backupContradictions(values);
  if (values.DATABASE_URL && !values.PORTOLAN_MASTER_KEY) {
    problems.push('PORTOLAN_MASTER_KEY is required with DATABASE_URL, so that every replica has the same key.');
  }
  if (values.PORTOLAN_METRICS_PORT === values.PORT) {
    problems.push('PORTOLAN_METRICS_PORT must be another port than PORT.');
  }
  if (values.DATABASE_POOLER === 'transaction' && !values.DATABASE_DIRECT_URL) {
    problems.push(
      'DATABASE_DIRECT_URL is required with DATABASE_POOLER=transaction: notifications and locks cannot go through such a pooler.',
    );
  }
  if (values.DATABASE_READ_URL && !values.DATABASE_URL) {
    problems.push('DATABASE_READ_URL needs DATABASE_URL: the primary that its servers follow.');
  }
  if (values.PORTOLAN_READ_STALENESS_MS !== undefined && !values.DATABASE_READ_URL) {
    problems.push('PORTOLAN_READ_STALENESS_MS needs DATABASE_READ_URL: without standbys nothing is stale.');
  }
  if (values.PORTOLAN_ROLE !== 'all' && !values.DATABASE_URL) {
    problems.push('PORTOLAN_ROLE=web, worker or migrate needs DATABASE_URL: the embedded database serves one process.');
  }
  if (values.PORTOLAN_SMTP_URL && !values.PORTOLAN_SMTP_FROM) {
    problems.push('PORTOLAN_SMTP_FROM is required with PORTOLAN_SMTP_URL: the address that e-mail is sent from.');
  }
  problems.push(...modelContradictions(values));
  return problems;
}

function toConfig(values: Environment, workingDirectory: string): Config {
  const directory = values.PORTOLAN_DATA_DIR;
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PORTOLAN_PUBLIC_URL?.replace(/\/+$/, ''),
    trustedProxies: values.PORTOLAN_TRUSTED_PROXIES ?? [],
    dataDir: isAbsolute(directory) ? directory : resolve(workingDirectory, directory),
    databaseUrl: values.DATABASE_URL,
    databaseDirectUrl: values.DATABASE_DIRECT_URL,
    reads: values.DATABASE_READ_URL
      ? { connectionString: values.DATABASE_READ_URL, stalenessMs: values.PORTOLAN_READ_STALENESS_MS }
      : undefined,
    databasePooler: values.DATABASE_POOLER,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    role: values.PORTOLAN_ROLE,
    first: ({ '0': 'empty', '1': 'demo', beside: 'beside' } as const)[values.PORTOLAN_DEMO],
    clientId: values.PORTOLAN_CLIENT_ID,
    clientSecret: values.PORTOLAN_CLIENT_SECRET,
    adminEmail: values.PORTOLAN_ADMIN_EMAIL,
    adminPassword: values.PORTOLAN_ADMIN_PASSWORD,
    operatorToken: values.PORTOLAN_OPERATOR_TOKEN,
    masterKey: values.PORTOLAN_MASTER_KEY,
    model: readModelConfig(values),
    ai: readAiConfig(values),
    telemetry: readTelemetryConfig(values),
    allowsPrivateNetwork: values.PORTOLAN_ALLOW_PRIVATE_NETWORK,
    privateHosts: values.PORTOLAN_PRIVATE_HOSTS ?? [],
    extraCertificates: values.PORTOLAN_EXTRA_CA ?? [],
    ...readStop(values),
    metricsPort: values.PORTOLAN_METRICS_PORT,
    backups: readBackupPlan(values, workingDirectory),
    auditDays: values.PORTOLAN_AUDIT_DAYS,
    runDays: values.PORTOLAN_RUN_DAYS,
    undoDays: values.PORTOLAN_UNDO_DAYS,
    kafkaBrokers: values.PORTOLAN_KAFKA_BROKERS ?? [],
    smtp:
      values.PORTOLAN_SMTP_URL && values.PORTOLAN_SMTP_FROM
        ? { url: values.PORTOLAN_SMTP_URL, from: values.PORTOLAN_SMTP_FROM }
        : undefined,
    logLevel: values.PORTOLAN_LOG_LEVEL,
  };
}

/** A worker serves nobody, and has nothing to go on with; but what it does has longer to end, too. */
function readStop({ DATABASE_URL, PORTOLAN_DRAIN_SECONDS, PORTOLAN_ROLE }: Environment) {
  const seconds = PORTOLAN_DRAIN_SECONDS ?? (DATABASE_URL ? 10 : 0);
  return { drainMs: PORTOLAN_ROLE === 'worker' ? 0 : seconds * 1_000, finishMs: seconds > 0 ? 15_000 : finishMs };
}
