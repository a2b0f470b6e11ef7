import type { importLines } from '@portolan/contract/imports';
import type { OperationInput } from '@portolan/contract/operation';
import type { CsvStream } from '@portolan/tables';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { AppError, invalidRequest, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { holdBlueprint } from '../../blueprints/index.ts';
import { can } from '../../rights/index.ts';
import type { IngestDeps } from '../ingest/ingest.deps.ts';
import { findOpenSync, findSync, insertSync } from '../ingest/sync.store.ts';
import { noCounts, type StoredSync } from '../ingest/sync.ts';
import { lockSource } from '../sources/source.store.ts';
import { planTable } from './plan-table.ts';

export type ImportQuery = OperationInput<typeof importLines>['query'];

/** The headings of a table that begins, or a table that goes on; undefined for JSON lines. */
type Table = Pick<CsvStream, 'form' | 'columns'> | 'begun' | undefined;

/**
 * Begins an import, or finds the open one that is to go on.
 * @throws AppError `not_found`, `sync_in_progress`, `import_ended`, `import_out_of_step`, `invalid_request`
 */
export function openImport(deps: IngestDeps, actor: Actor, query: ImportQuery, table?: Table): Promise<StoredSync> {
  return deps.unitOfWork(actor, async (work) => {
    if (query.import === undefined) return begin(work, query, table);
    const sync = await findSync(work.tx, actor.orgId, query.import);
    if (sync?.mode !== 'import' || !mayGoOn(actor, sync)) throw notFound('Import', query.import);
    if (sync.endedAt) throw new AppError('import_ended', `The import "${sync.id}" has ended: it is ${sync.status}`);
    if ((sync.options.table === undefined) !== (table === undefined)) {
      const form = sync.options.table ? 'CSV: send what follows as text/csv' : 'JSON lines: send more of these';
      throw invalidRequest([{ path: '{query}/import', message: `began with ${form}` }]);
    }
    if (query.after !== sync.lines) {
      const message = `The import "${sync.id}" goes on after line ${sync.lines}; send what follows, with after=${sync.lines}`;
      throw new AppError('import_out_of_step', message, { details: { lines: sync.lines } });
    }
    return sync;
  });
}

/** Imports are their author's, and the administrators'. */
export function mayGoOn(actor: Actor, { createdBy }: StoredSync): boolean {
  return createdBy === actor.id || isAdmin(actor);
}

async function begin(work: Work, query: ImportQuery, headings: Table): Promise<StoredSync> {
  const { tx, actor, now } = work;
  if (query.after !== 0) {
    throw invalidRequest([
      { path: '{query}/after', message: 'goes with `import`: a new one begins with its first line' },
    ]);
  }
  const blueprint = query.blueprint === undefined ? undefined : await holdBlueprint(tx, actor.orgId, query.blueprint);
  if (query.blueprint !== undefined && (!blueprint || !can(actor, 'read', blueprint))) {
    throw notFound('Blueprint', query.blueprint);
  }
  const source = query.source === undefined ? undefined : await lockSource(tx, actor.orgId, query.source);
  if (query.source !== undefined && (source?.type !== 'file' || !(isAdmin(actor) || source.createdBy === actor.id))) {
    throw notFound('Source', query.source);
  }
  const open = source && (await findOpenSync(tx, actor.orgId, source.key));
  if (open) {
    const message = `The import "${open.id}" of the source "${query.source}" is open; go on with it or cancel it`;
    throw new AppError('sync_in_progress', message, { details: { sync: open.id } });
  }
  const table =
    blueprint && typeof headings === 'object' ? planTable(headings, blueprint, source?.settings, query) : undefined;
  return insertSync(tx, actor.orgId, {
    id: newId('imp_'),
    sourceKey: source?.key ?? null,
    mode: 'import',
    isPlan: query.dry_run,
    status: 'open',
    options: {
      mode: query.mode,
      missingTargets: query.missing_targets,
      onError: query.on_error,
      ...(query.blueprint === undefined ? {} : { blueprint: query.blueprint }),
      ...(table ? { table } : {}),
    },
    counts: noCounts,
    startedAt: now,
    createdBy: actor.id,
  });
}
