import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openEmbeddedEngine } from '../src/platform/db/embedded-engine.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { openPostgresEngine } from '../src/platform/db/postgres-engine.ts';
import { distribute } from '../src/platform/distribution/distribute.ts';
import { applicationName } from '../src/platform/upgrade/upgrade.store.ts';
import { createRunFolder } from './database-run-folder.ts';
import { startPostgres } from './database-server.ts';

/** Where the tests of a project find their database; handed to them by vitest's `inject`. */
export type TestDatabaseAddress =
  | { readonly engine: 'embedded'; readonly runFolder: string; readonly templateFolder: string }
  | {
      readonly engine: 'postgres';
      readonly url: string;
      /** The workers, where it is the coordinator of a Citus. */
      readonly workers: readonly string[];
      readonly template: string;
    };

declare module 'vitest' {
  export interface ProvidedContext {
    testDatabase: TestDatabaseAddress;
  }
}

const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url));

/** Makes one migrated database per run and engine; every test file works on copies of it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const isPostgres = project.config.env['PORTOLAN_TEST_ENGINE'] === 'postgres';
  const { address, remove } = isPostgres ? await makePostgresTemplate() : await makeEmbeddedTemplate();
  project.provide('testDatabase', address);
  return remove;
}

interface Template {
  readonly address: TestDatabaseAddress;
  /** Stops a server that was started for it. */
  remove(): Promise<void>;
}

async function makeEmbeddedTemplate(): Promise<Template> {
  const run = await createRunFolder('embedded');
  try {
    const engine = await openEmbeddedEngine({ dataDir: run.folder });
    try {
      await migrate(engine, migrationsFolder);
    } finally {
      await engine.close();
    }
  } catch (error) {
    await run.remove();
    throw error;
  }
  const templateFolder = join(run.folder, 'db');
  return { address: { engine: 'embedded', runFolder: run.folder, templateFolder }, remove: () => run.remove() };
}

export async function makePostgresTemplate(): Promise<Template> {
  const given = process.env['PORTOLAN_TEST_DATABASE_URL'];
  const server = given ? { url: given, stop: async () => undefined } : await startPostgres();
  const workers = (process.env['PORTOLAN_TEST_CITUS_WORKERS'] ?? '').split(',').filter(Boolean);
  const template = `portolan_template_${randomBytes(6).toString('hex')}`;
  const runAsAdmin = async (statement: string): Promise<void> => {
    for (const url of [server.url, ...workers]) await runOn(url, statement);
  };
  const stop = async (): Promise<void> => {
    if (given) await runAsAdmin(`drop database if exists ${template} with (force)`);
    await server.stop();
  };
  try {
    await runAsAdmin(`create database ${template} encoding 'UTF8' template template0`);
    if (workers.length > 0) await addWorkers(server.url, workers, template);
    const engine = await openPostgresEngine({
      connectionString: databaseUrl(server.url, template),
      poolSize: 1,
      applicationName,
    });
    try {
      await migrate(engine, migrationsFolder);
      if (workers.length > 0) await distribute(engine);
    } finally {
      await engine.close();
    }
    // Citus keeps a session of its own in every database, and nobody may have one in what is copied
    if (workers.length > 0) await runAsAdmin(`alter database ${template} allow_connections false`);
    if (workers.length > 0) {
      await runAsAdmin(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${template}'`);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { address: { engine: 'postgres', url: server.url, workers, template }, remove: stop };
}

/** Citus in a database of that name on every node, the coordinator's first. */
async function addWorkers(coordinator: string, workers: readonly string[], name: string): Promise<void> {
  const on = databaseUrl(coordinator, name);
  for (const url of [coordinator, ...workers]) await runOn(databaseUrl(url, name), 'create extension citus');
  const [own, ...others] = [coordinator, ...workers].map((url) => new URL(url));
  await runOn(on, `select citus_set_coordinator_host('${own?.hostname}', ${own?.port})`);
  for (const { hostname, port } of others) await runOn(on, `select citus_add_node('${hostname}', ${port})`);
}

export async function runOn(connectionString: string, statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}

/** The address of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
