import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '../../packages/server/src/platform/db/database.ts';
import { dumpSchema } from '../../packages/server/src/platform/db/dump-schema.ts';
import { openEmbeddedEngine } from '../../packages/server/src/platform/db/embedded-engine.ts';
import { migrate } from '../../packages/server/src/platform/db/migrate.ts';
import { columnTypes } from './columns.ts';
import type { GeneratedFile } from './generated-file.ts';

/** The database after every migration, so that a review sees what a migration changes, and the types of its columns. */
export async function schema(): Promise<readonly GeneratedFile[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portolan-schema-'));
  try {
    const engine = await openEmbeddedEngine({ dataDir });
    try {
      await migrate(engine, join(import.meta.dirname, '../../packages/server/migrations'));
      const text = await dumpSchema(createDatabase(engine));
      return [
        { path: 'packages/server/schema.sql', text },
        { path: 'packages/server/src/platform/db/columns.generated.ts', text: columnTypes(text) },
      ];
    } finally {
      await engine.close();
    }
  } finally {
    await rm(dataDir, { recursive: true });
  }
}
