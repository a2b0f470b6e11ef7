import { destination } from 'pino';
import { type Config, readConfig } from './config.ts';
import { explainStart } from './explain-start.ts';
import { tuneAllocation } from './platform/allocation.ts';
import { readServers } from './platform/db/addresses.ts';
import { openEmbeddedEngine } from './platform/db/embedded-engine.ts';
import type { Engine, EngineLog } from './platform/db/engine.ts';
import { openPostgresEngine } from './platform/db/postgres-engine.ts';
import { createLog } from './platform/log.ts';
import { createKnownSecrets } from './platform/secrets/known-secrets.ts';
import { maskedDestination } from './platform/secrets/masked-destination.ts';

/** What must not be in any line that this process writes. */
const known = createKnownSecrets();

/**
 * Starts the product as the environment says. A start that cannot go on ends the process with one sentence. The database
 * opens while the rest of the program is loaded, which takes about as long.
 */
async function main(): Promise<void> {
  tuneAllocation();
  const config = readConfig(process.env, process.cwd());
  registerSecrets(config);
  const log = createLog(config.logLevel, maskedDestination(destination({ dest: 2, sync: false }), known));
  const { engine, begun } = openEngine(config, log);
  // a failure is told by whoever awaits the engine
  await Promise.race([begun, engine.catch(() => undefined)]);
  const { serve } = await import('./serve.ts');
  await serve({ config, log, known, engine });
}

/** `begun` resolves once opening goes on by itself: loading leaves this thread no time for it. */
function openEngine(
  config: Config,
  log: EngineLog,
): { readonly engine: Promise<Engine>; readonly begun: Promise<void> } {
  if (config.databaseUrl) {
    const engine = openPostgresEngine({
      connectionString: config.databaseUrl,
      directConnectionString: config.databaseDirectUrl,
      reads: config.role === 'migrate' ? undefined : config.reads,
      pooler: config.databasePooler,
      poolSize: config.databasePoolSize,
      log,
    });
    return { engine, begun: Promise.resolve() };
  }
  let onBegun = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    onBegun = resolve;
  });
  return { engine: openEmbeddedEngine({ dataDir: config.dataDir, log, onBegun }), begun };
}

/** What the operator set and must not be logged, also where the start fails. */
function registerSecrets({ databaseUrl, databaseDirectUrl, reads, smtp, telemetry, model, ai, ...own }: Config): void {
  const { accessKeyId, secretAccessKey, sessionToken } = model.aws ?? {};
  const models = [model.apiKey, ai.fallback?.apiKey, accessKeyId, secretAccessKey, sessionToken];
  // an address of several hosts is no URL; its servers are
  const servers = [databaseUrl, databaseDirectUrl, reads?.connectionString].flatMap((text) =>
    text ? [text, ...readServers(text)] : [],
  );
  const addresses = [...servers, ...(smtp ? [smtp.url] : [])].flatMap((text) => [text, readPassword(text)]);
  const { masterKey, operatorToken, clientSecret, adminPassword } = own;
  const headers = Object.values(telemetry?.headers ?? {});
  for (const secret of [masterKey, operatorToken, clientSecret, adminPassword, ...models, ...addresses, ...headers]) {
    known.keep(secret);
  }
}

function readPassword(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).password : undefined;
}

main().catch((error: unknown) => {
  process.stderr.write(known.maskText(`Portolan cannot start.\n${explainStart(error)}\n`));
  process.exit(1);
});
