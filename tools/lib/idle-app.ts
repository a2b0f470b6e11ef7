import { type App, type AppPorts, buildApp } from '../../packages/server/src/app.ts';
import { systemClock } from '../../packages/server/src/platform/clock.ts';
import { createDatabase } from '../../packages/server/src/platform/db/database.ts';
import { createDatabaseMetrics } from '../../packages/server/src/platform/db/database-metrics.ts';
import type { Engine } from '../../packages/server/src/platform/db/engine.ts';
import { createPresence } from '../../packages/server/src/platform/db/presence.ts';
import { createOutgoing } from '../../packages/server/src/platform/outgoing/outgoing.ts';

/** The application without a database, never started: for what it says about itself. */
export function buildIdleApp(): App {
  return buildApp(
    {
      masterKey: Buffer.alloc(32).toString('base64'),
      operatorToken: 'not-used',
      model: { provider: 'built-in' },
      publicUrl: () => 'http://localhost',
    },
    {
      database: createDatabase(unusedEngine),
      clock: systemClock,
      log: silentLog,
      outgoing: createOutgoing({ allowsPrivateNetwork: false }),
    },
  );
}

/** Building the application asks the database nothing; were that to change, this would say so. */
const unusedEngine: Engine = {
  kind: 'embedded',
  presence: createPresence({ ask: () => Promise.resolve({ isReadOnly: false }), answers: () => 0 }),
  metrics: createDatabaseMetrics().metrics,
  inClass: (_workClass, body) => body(),
  connect: () => Promise.reject(new Error('An idle application needs no database')),
  connectDirectly: () => Promise.reject(new Error('An idle application needs no database')),
  listen: () => Promise.reject(new Error('An idle application needs no database')),
  close: () => Promise.resolve(),
};

const ignore = (): void => undefined;
export const silentLog: AppPorts['log'] = {
  ...{ level: 'silent', fatal: ignore, error: ignore, warn: ignore, info: ignore, debug: ignore, trace: ignore },
  silent: ignore,
  child: () => silentLog,
};
