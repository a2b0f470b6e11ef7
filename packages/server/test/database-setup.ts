import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openEmbeddedEngine } from '../src/platform/db/embedded-engine.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { openPostgresEngine } from '../src/platform/db/postgres-engine.ts';
import { createRunFolder } from './database-run-folder.ts';
import { startPostgres } from './database-server.ts';

/** Where the tests of a project find their database; handed to them by vitest's `inject`. */
export type TestDatabaseAddress =
  | { readonly engine: 'embedded'; readonly runFolder: string; readonly templateFolder: string }
  | { readonly engine: 'postgres'; readonly url: string; readonly template: string };

declare module 'vitest' {
  export interface ProvidedContext {
    testDatabase: TestDatabaseAddress;
  }
}

const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url));

/** Makes one migrated database per run and engine; every test file works on copies of it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  return project.config.env['PORTOLAN_TEST_ENGINE'] === 'postgres' ? setupPostgres(project) : setupEmbedded(project);
}

async function setupEmbedded(project: TestProject): Promise<() => Promise<void>> {
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
  project.provide('testDatabase', { engine: 'embedded', runFolder: run.folder, templateFolder });
  return () => run.remove();
}

async function setupPostgres(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['PORTOLAN_TEST_DATABASE_URL'];
  const server = given ? { url: given, stop: async () => undefined } : await startPostgres();
  const template = `portolan_template_${randomBytes(6).toString('hex')}`;
  const runAsAdmin = async (statement: string): Promise<void> => {
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    try {
      await admin.query(statement);
    } finally {
      await admin.end();
    }
  };
  const stop = async (): Promise<void> => {
    if (given) await runAsAdmin(`drop database if exists ${template} with (force)`);
    await server.stop();
  };
  try {
    await runAsAdmin(`create database ${template} encoding 'UTF8' template template0`);
    const engine = await openPostgresEngine({ connectionString: databaseUrl(server.url, template), poolSize: 1 });
    try {
      await migrate(engine, migrationsFolder);
    } finally {
      await engine.close();
    }
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('testDatabase', { engine: 'postgres', url: server.url, template });
  return stop;
}

/** The address of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
