import { importTable, type KeptTable, type TableResult } from '@portolan/tables';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../api/api.ts';
import { useRefresh } from '../../api/query.ts';
import { createImportServer, findEntities } from './import-server.ts';
import type { AppliedImport, ColumnChoice, OpenedTable } from './import-steps.ts';
import type { ImportProgress } from './step-list.tsx';

/** Plans and applies a table. One at a time; leaving the screen stops it. */
export function useImport(sourceIdentifier: string | undefined) {
  const [progress, setProgress] = useState<ImportProgress>();
  const running = useRef<AbortController | undefined>(undefined);
  const refresh = useRefresh();
  useEffect(() => () => running.current?.abort(), []);

  async function send(
    { table }: OpenedTable,
    { blueprint, plan, missingTargets }: ColumnChoice,
    part: { readonly dry_run: boolean; readonly source?: string },
  ): Promise<TableResult> {
    const stop = new AbortController();
    running.current = stop;
    setProgress({ rows: 0, counts: { created: 0, changed: 0, unchanged: 0, refused: 0, waiting: 0 } });
    try {
      return await importTable({
        table,
        plan,
        blueprint,
        query: { ...part, missing_targets: missingTargets },
        server: createImportServer(stop.signal),
        find: findEntities,
        signal: stop.signal,
        onProgress: (rows, counts) => setProgress({ rows, counts }),
      });
    } finally {
      running.current = undefined;
      setProgress(undefined);
    }
  }

  /** Creates the blueprint if it is a new one, and checks every row; writes no entity. */
  async function check(opened: OpenedTable, choice: ColumnChoice): Promise<TableResult> {
    if (choice.isNew) {
      await call('createBlueprint', { body: withoutUnusedProperties(choice) as never });
      await refresh(['listBlueprints', 'getBlueprint']);
    }
    return send(opened, choice, {
      dry_run: true,
      ...(sourceIdentifier === undefined ? {} : { source: sourceIdentifier }),
    });
  }

  /** Writes the rows as a source of their own, so that they can be undone and uploaded again. */
  async function apply(opened: OpenedTable, choice: ColumnChoice): Promise<AppliedImport> {
    const { file } = opened;
    const settings = {
      fileName: file.name,
      blueprint: choice.blueprint.identifier,
      ...choice.plan,
    } satisfies KeptTable;
    const { source } =
      sourceIdentifier === undefined
        ? await call('createSource', { body: { type: 'file', title: file.name.slice(0, 100), settings } })
        : await call('patchSource', { params: { source_identifier: sourceIdentifier }, body: { settings } });
    const result = await send(opened, choice, { dry_run: false, source: source.identifier });
    await refresh(['searchBlueprintEntities', 'listSources', 'getSource', 'listMissing']);
    return { result, source };
  }

  return { progress, check, apply, stop: () => running.current?.abort() };
}

/** Columns that were left out make no property. */
function withoutUnusedProperties({ blueprint, plan }: ColumnChoice) {
  const used = new Set(plan.columns.map(({ to }) => to));
  const entries = Object.entries(blueprint.schema.properties).filter(([key]) => used.has(`properties.${key}`));
  return { ...blueprint, schema: { ...blueprint.schema, properties: Object.fromEntries(entries) } };
}
