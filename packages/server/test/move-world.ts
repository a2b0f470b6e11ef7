import { randomBytes } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import sql, { raw } from 'sql-template-tag';
import { exportOrganization, importOrganization } from '../src/modules/backups/index.ts';
import { connectorSealedColumns } from '../src/modules/connectors/index.ts';
import { checkMasterKey, createSealer, identitySealedColumns } from '../src/modules/identity/index.ts';
import { webhookSealedColumns } from '../src/modules/integrations/index.ts';
import { signInSealedColumns } from '../src/modules/sign-in/index.ts';
import { sourceSealedColumns } from '../src/modules/sources/index.ts';
import type { Database } from '../src/platform/db/database.ts';
import type { Engine } from '../src/platform/db/engine.ts';
import { createSecretScope } from '../src/platform/secrets/secret-scope.ts';
import { fillEveryTable } from './fill-every-table.ts';

export const sealedColumns = [
  ...identitySealedColumns,
  ...signInSealedColumns,
  ...webhookSealedColumns,
  ...sourceSealedColumns,
  ...connectorSealedColumns,
];

export const passphrase = 'a passphrase that nobody guesses';
const movedAt = new Date('2026-11-27T18:00:00Z');
/** Of `fillEveryTable`. */
export const orgId = 'org 0';

export const newMasterKey = (): string => randomBytes(32).toString('base64');

/** An organization with rows in every table and secrets that the master key sealed, beside two others. */
export async function fillOrganization(database: Database, masterKey: string): Promise<void> {
  await checkMasterKey(database, masterKey);
  const [installation] = await database.rows<{ kept: string }>(sql`select key_check as kept from installation`);
  await database.executeAlone(sql`delete from installation`);
  await fillEveryTable(database);
  await database.executeAlone(sql`update installation set key_check = ${installation?.kept}`);
  await database.executeAlone(sql`
    insert into organizations (id, name, model, plan, created_at, updated_at, entered_at)
    values (${orgId}, 'Acme "Logistics"', 'blueprints', 'standard', now(), now(), now())`);
  const sealer = createSealer(Buffer.from(masterKey, 'base64'));
  for (const { table, column, purpose } of sealedColumns) {
    const rows = await database.rows<{ row: Record<string, string | null> }>(sql`
      select to_jsonb(t) as row from ${raw(table)} t where org_id = ${orgId}`);
    for (const { row } of rows) {
      const sealed = sealer.seal(orgId, purpose(row), madeSecret(table, column));
      const isJson = table === 'sources';
      const value = isJson
        ? JSON.stringify(column === 'webhook' ? { secret: sealed } : { a: { sealed }, b: { sealed } })
        : sealed;
      await database.executeAlone(sql`
        update ${raw(table)} set ${raw(column)} = cast(${value} as ${raw(isJson ? 'jsonb' : 'text')}) where org_id = ${orgId}`);
    }
  }
}

export function madeSecret(table: string, column: string): string {
  return `the secret of ${table}.${column} — żółć`;
}

/** What every sealed value of the organization opens to under a master key, by its place. */
export async function openSecrets(database: Database, masterKey: string): Promise<Record<string, string[]>> {
  const sealer = createSealer(Buffer.from(masterKey, 'base64'));
  const opened: Record<string, string[]> = {};
  for (const { table, column, purpose } of sealedColumns) {
    const rows = await database.rows<{ row: Record<string, string | null> }>(sql`
      select to_jsonb(t) as row from ${raw(table)} t where org_id = ${orgId}`);
    opened[`${table}.${column}`] = rows.flatMap(({ row }) =>
      [...JSON.stringify(row[column]).matchAll(/v1\.[0-9a-f]{16}\.[\w-]+\.[\w-]+/g)].map(([sealed]) =>
        sealer.open(orgId, purpose(row), sealed, createSecretScope()),
      ),
    );
  }
  return opened;
}

export async function exported(engine: Engine, masterKey: string, id = orgId): Promise<Buffer> {
  const into = new PassThrough();
  const taking = exportOrganization(engine, () => into, {
    orgId: id,
    passphrase,
    masterKey,
    sealedColumns,
    takenAt: movedAt,
  });
  const [bytes] = await Promise.all([
    buffer(into).catch(() => Buffer.alloc(0)),
    taking.catch((error: unknown) => {
      into.destroy();
      throw error;
    }),
  ]);
  return bytes;
}

export function imported(
  engine: Engine,
  bytes: Buffer,
  masterKey: string,
  more: { passphrase?: string; isPlan?: boolean } = {},
) {
  return importOrganization(engine, () => Readable.from(chunksOf(bytes)), {
    passphrase,
    masterKey,
    sealedColumns,
    ...more,
  });
}

/** As a file arrives, and not all at once. */
function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  if (bytes.length === 0) yield bytes;
}

/** The lines of a file after its head. */
export function readMovedLines(bytes: Buffer): string[] {
  return gunzipSync(bytes).toString('utf8').trimEnd().split('\n').slice(1);
}
