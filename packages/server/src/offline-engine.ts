import { openEmbeddedEngine } from './platform/db/embedded-engine.ts';
import type { Engine } from './platform/db/engine.ts';
import { openPostgresEngine } from './platform/db/postgres-engine.ts';

/** Nothing that is done beside the server should be ended for its length. */
const statementTimeoutMs = 24 * 60 * 60 * 1000;

interface OfflineDatabase {
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  readonly poolSize: number;
  /** As PostgreSQL shows it among its sessions. */
  readonly applicationName: string;
}

/** Opens the database that a command names, a server's or a data folder's, and closes it afterwards. */
export async function withOfflineEngine<T>(
  { databaseUrl, dataDir, poolSize, applicationName }: OfflineDatabase,
  use: (engine: Engine) => Promise<T>,
): Promise<T> {
  const engine = databaseUrl
    ? await openPostgresEngine({ connectionString: databaseUrl, poolSize, applicationName, statementTimeoutMs })
    : await openEmbeddedEngine({ dataDir, statementTimeoutMs });
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}
