import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type App, buildApp } from './app.ts';
import type { Config } from './config.ts';
import { loadDemo, visitorsTeam } from './demo/load-demo.ts';
import { checkMasterKey } from './modules/identity/index.ts';
import { operatorGate } from './operator-gate.ts';
import { systemClock } from './platform/clock.ts';
import { createDatabase } from './platform/db/database.ts';
import type { Engine } from './platform/db/engine.ts';
import { migrate } from './platform/db/migrate.ts';
import { giveBackMemory } from './platform/give-back-memory.ts';
import type { createLog } from './platform/log.ts';
import { createSmtpMailer } from './platform/mail/mailer.ts';
import { createKafkaBroker } from './platform/messages/message-broker.ts';
import { createOutgoing } from './platform/outgoing/outgoing.ts';
import { release } from './platform/release.ts';
import { createReplica, type Replica } from './platform/replicas/replica.ts';
import type { KnownSecrets } from './platform/secrets/known-secrets.ts';
import { createSampler } from './platform/telemetry/sampler.ts';
import { createSpanExporter } from './platform/telemetry/span-exporter.ts';
import { createTracing, sampleSpans } from './platform/telemetry/tracing.ts';
import { type LoadedSecrets, loadSecrets } from './secrets.ts';
import { finishMs } from './stop-app.ts';
import { listenForStatus } from './surfaces/status-listener.ts';
import { welcome } from './welcome.ts';

/** How much longer a stop may take than what was begun before the process ends all the same. */
const closingMs = 4_000;
/** Two signals so close together were one. */
const sameSignalMs = 1_000;

export interface ServePorts {
  readonly config: Config;
  readonly log: ReturnType<typeof createLog>;
  /** What must not be in any line that this process writes. */
  readonly known: KnownSecrets;
  readonly engine: Promise<Engine>;
}

/** Brings the database up to date, serves until a signal comes, and then ends the process. */
export async function serve({ config, log, known, engine: opening }: ServePorts): Promise<void> {
  const engine = await opening;
  const loaded = await loadSecrets(config);
  const { masterKey, operatorToken, clientSecret, adminPassword } = loaded.secrets;
  for (const secret of [masterKey, operatorToken, clientSecret, adminPassword]) known.keep(secret);
  await migrate(engine, beside('migrations'));
  const database = createDatabase(engine);
  await checkMasterKey(database, loaded.secrets.masterKey);
  const outgoing = createOutgoing(config);
  // as it will be, until it is known which port was free
  const broker = config.kafkaBrokers.length > 0 ? createKafkaBroker(config.kafkaBrokers) : undefined;
  const mailer = config.smtp && createSmtpMailer({ ...config.smtp, log });
  const spans = config.telemetry && createSpanExporter({ ...config.telemetry, log });
  const sampler = createSampler(config.telemetry?.sampler);
  const tracing = spans && createTracing(spans, sampler);
  let address = `http://${config.host}:${config.port}`;
  const app = buildApp(
    {
      masterKey: loaded.secrets.masterKey,
      operatorToken: loaded.secrets.operatorToken,
      model: toModelSettings(config.model),
      ai: {
        fallback: config.ai.fallback && toModelSettings({ ...config.ai.fallback, offered: [] }),
        prices: config.ai.prices,
        connectable: config.ai.connectable,
        contentDays: config.ai.contentDays,
        historyTokens: config.ai.historyTokens,
        chatNotice: config.ai.chatNotice,
        spans: spans && sampleSpans(spans, sampler),
      },
      auditDays: config.auditDays,
      runDays: config.runDays,
      undoDays: config.undoDays,
      backups: config.backups,
      dataDir: config.databaseUrl === undefined ? config.dataDir : undefined,
      trustedProxies: config.trustedProxies,
      sourceTypesFolder: beside('data/source-types'),
      publicUrl: () => config.publicUrl ?? address,
      onSecretOpened: known.note,
      portalFolder: fileURLToPath(new URL('../../portal/dist', import.meta.url)),
      demoFolder: beside('demo'),
      packsFolder: beside('data/packs'),
      docsFolder: fileURLToPath(new URL('../../../docs', import.meta.url)),
    },
    { database, clock: systemClock, log, outgoing, broker, mailer, tracing },
  );
  const isFirstStart = await firstStart(app, config, loaded);
  const closePorts = async (): Promise<void> => {
    await spans?.close();
    await outgoing.close();
    await broker?.close();
    await engine.close();
  };
  if (config.role === 'migrate') {
    await app.close();
    await closePorts();
    process.stdout.write('The database is up to date.\n');
    process.exit(0);
  }
  // the embedded database has this process alone
  const replica = config.databaseUrl
    ? createReplica({ database, log }, { release, role: config.role, address: `${hostname()}:${config.port}` })
    : undefined;
  await replica?.start();
  await app.start({ role: config.role, isAlone: engine.kind === 'embedded' });
  if (config.role !== 'worker') {
    address = await app.http.listen({ port: config.port, host: config.host });
  }
  const status =
    config.metricsPort &&
    (await listenForStatus(app.http, {
      host: config.host,
      port: config.metricsPort,
      drain: {
        authenticate: operatorGate(loaded.secrets.operatorToken),
        set: (isDraining) => {
          log.info({ isDraining }, 'the operator drains this process, or takes that back');
          app.setDraining(isDraining);
          void replica?.setDraining(isDraining);
        },
      },
    }));
  stopOnSignal(app, { config, known }, replica, async () => {
    if (status) status.close();
    await replica?.close();
    await closePorts();
  });
  giveBackMemory();
  process.stdout.write(
    welcome({
      address: config.publicUrl ?? address,
      role: config.role,
      loaded,
      isFirstStart,
      first: config.first,
      model: config.model.provider,
    }),
  );
}

function toModelSettings(model: Config['model']) {
  return {
    provider: model.provider,
    ...(model.model ? { model: model.model } : {}),
    ...(model.baseUrl ? { baseUrl: model.baseUrl } : {}),
    offered: model.offered,
    ...(model.apiKey ? { apiKey: model.apiKey } : {}),
    ...(model.aws ? { aws: model.aws } : {}),
  };
}

/** Sources and built files both lie one folder below the package, where the migrations and the data are that come with it. */
function beside(folder: 'migrations' | 'demo' | 'data/packs' | 'data/source-types'): string {
  return fileURLToPath(new URL(`../${folder}`, import.meta.url));
}

/** An empty installation gets its organization; whether this start made it. */
async function firstStart(app: App, config: Config, { secrets }: LoadedSecrets): Promise<boolean> {
  const { clientId, clientSecret, adminEmail, adminPassword } = secrets;
  const isDemo = config.first === 'demo';
  const name = isDemo ? 'Halyard Freight' : 'My organization';
  const publicUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
  const passwordHash = await app.signIn.preparePassword(adminPassword);
  const created = await app.identity.createFirstOrganization(
    { name, model: 'blueprints', credentials: { clientId, clientSecret } },
    async (work) => {
      if (isDemo) await loadDemo(app.loading, work, { folder: beside('demo'), publicUrl });
      const teams = isDemo ? [visitorsTeam] : undefined;
      await app.signIn.createFirstUser(work, { email: adminEmail, passwordHash, teams });
      if (config.first === 'beside') await app.demoOrganizations.create(work);
    },
  );
  return created !== undefined;
}

/**
 * The first signal stops, a second one ends the process as it is. SIGTERM, as supervisors send it, drains before; whoever
 * presses Ctrl-C does not want to wait.
 */
function stopOnSignal(
  app: App,
  { config, known }: Pick<ServePorts, 'config' | 'known'>,
  replica: Replica | undefined,
  closePorts: () => Promise<void>,
): void {
  let stoppingMs: number | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    if (stoppingMs !== undefined) {
      // a terminal and npm both pass one Ctrl-C on
      if (now - stoppingMs > sameSignalMs) process.exit(1);
      return;
    }
    stoppingMs = now;
    const isPatient = signal === 'SIGTERM';
    const waitMs = isPatient ? config.drainMs : 0;
    const forMs = isPatient ? config.finishMs : finishMs;
    // waiting for callers to leave may take 2.5 s more than the drain
    setTimeout(() => process.exit(1), waitMs + forMs + closingMs + (waitMs > 0 ? 2_500 : 0)).unref();
    void replica?.setDraining(true);
    app
      .drain(waitMs)
      .then(() => app.close(forMs))
      .then(closePorts)
      .then(() => process.exit(0))
      .catch((error: unknown) => {
        process.stderr.write(known.maskText(`The stop failed: ${String(error)}\n`));
        process.exit(1);
      });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
