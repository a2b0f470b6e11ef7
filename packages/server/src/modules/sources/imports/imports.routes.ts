import * as contract from '@portolan/contract/imports';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { notFound } from '../../../platform/errors.ts';
import { LineStreamAnswer } from '../../../platform/http/line-stream.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { findSync, listRefusedLines, listSyncRows } from '../ingest/sync.store.ts';
import type { StoredSync } from '../ingest/sync.ts';
import { getStoredSource } from '../sources/read-sources.ts';
import { findSourceByKey, listSourceRows } from '../sources/source.store.ts';
import { endImport } from './end-import.ts';
import type { ImportsDeps } from './imports.deps.ts';
import { mayGoOn, openImport } from './open-import.ts';
import { presentImport, presentProblem } from './present-import.ts';
import { readBody } from './read-body.ts';
import { runImport } from './run-import.ts';
import { openTableImport } from './table-import.ts';
import { undoImport } from './undo-import.ts';

const listedMax = 100;
const problemsMax = 10_000;

export function importRoutes(deps: ImportsDeps): Route[] {
  const { database, clock } = deps;
  const present = async (actor: Actor, sync: StoredSync) => {
    const source = sync.sourceKey === null ? undefined : await findSourceByKey(database, actor.orgId, sync.sourceKey);
    return presentImport(sync, source?.identifier ?? null, clock.now());
  };
  const find = async (actor: Actor, id: string): Promise<StoredSync> => {
    const sync = await findSync(database, actor.orgId, id);
    if (sync?.mode !== 'import' || !mayGoOn(actor, sync)) throw notFound('Import', id.slice(0, 200));
    return sync;
  };
  return [
    route(contract.importLines, async ({ query }, { actor, headers, rawBody, readmit }) => {
      const { bytes, table } = readBody(headers, rawBody);
      const { sync, ...body } = table
        ? await openTableImport(deps, actor, query, { bytes, form: table })
        : { sync: await openImport(deps, actor, query), lines: bytes };
      return new LineStreamAnswer(runImport(deps, actor, { sync, body, isOpenEnded: query.more, readmit }));
    }),
    route(contract.listImports, async ({ query }, { actor }) => {
      const source = query.source === undefined ? undefined : await getStoredSource(database, actor, query.source);
      const by = isAdmin(actor) ? undefined : actor.id;
      const filter = { sourceKey: source?.key, isImport: true, by, limit: listedMax };
      const syncs = await listSyncRows(database, actor.orgId, filter);
      const names = new Map(
        (await listSourceRows(database, actor.orgId)).map(({ key, identifier }) => [key, identifier]),
      );
      const now = clock.now();
      return { imports: syncs.map((sync) => presentImport(sync, names.get(sync.sourceKey ?? 0) ?? null, now)) };
    }),
    route(contract.getImport, async ({ params }, { actor }) => ({
      import: await present(actor, await find(actor, params.import_id)),
    })),
    route(contract.listImportProblems, async ({ params, query }, { actor }) => {
      const sync = await find(actor, params.import_id);
      const problems = await listRefusedLines(database, actor.orgId, sync.key, {
        after: query.after,
        limit: problemsMax,
      });
      return { problems: problems.map(presentProblem) };
    }),
    route(contract.cancelImport, async ({ params }, { actor }) => {
      const sync = await find(actor, params.import_id);
      await endImport(deps, actor, sync.key, 'cancelled');
      return { import: await present(actor, await find(actor, params.import_id)) };
    }),
    route(contract.undoImport, async ({ params }, { actor }) => {
      const { sync, ...counts } = await undoImport(deps, actor, await find(actor, params.import_id));
      return { import: await present(actor, sync), ...counts };
    }),
  ];
}
