import { planCatalog, readCatalog } from '@portolan/backstage';
import type { Entity } from '@portolan/contract/entities';
import { hasTeamsAsBlueprints } from '@portolan/contract/organization';
import { type ImportQuery, sendLines, type WireProblem } from '@portolan/tables';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../../api/api.ts';
import { useRefresh } from '../../../api/query.ts';
import { t } from '../../../kit/translate.ts';
import { createImportServer } from '../import-server.ts';
import type { ImportProgress } from '../step-list.tsx';
import { readChosen } from './catalog-files.ts';
import { type AppliedCatalog, listModelChanges, type PlannedCatalog, type SentCatalog } from './catalog-steps.ts';

const linesInPart = 500;
const noCounts = { created: 0, changed: 0, unchanged: 0, refused: 0, waiting: 0 };

/** Plans and applies the catalog of a Backstage. One at a time; leaving the screen stops it. */
export function useCatalogImport(sourceIdentifier: string | undefined) {
  const [progress, setProgress] = useState<ImportProgress>();
  const running = useRef<AbortController | undefined>(undefined);
  const refresh = useRefresh();
  useEffect(() => () => running.current?.abort(), []);

  /** Reads the files and compares them with the catalog; writes nothing. @throws ArchiveError */
  async function plan(chosen: readonly File[]): Promise<PlannedCatalog> {
    const { documents, problems, filesRead } = await readCatalog(await readChosen(chosen));
    const [first, ...others] = chosen.map(({ name }) => name);
    const name =
      others.length === 0 ? (first ?? 'Backstage') : t('{first} and {count} more', { first, count: others.length });
    const files = { name, documents, problems, filesRead };
    const [{ blueprints }, { organization }] = await Promise.all([call('listBlueprints'), call('getOwnOrganization')]);
    const now = {
      blueprints,
      hasTeamsAsBlueprints: hasTeamsAsBlueprints(organization),
      search: async (blueprint: string, body: object) => {
        const params = { blueprint_identifier: blueprint };
        return (await call('searchBlueprintEntities', { params, body })).entities as Entity[];
      },
    };
    const planned = await planCatalog(documents, now);
    const { create, extend } = listModelChanges(planned, new Set(blueprints.map(({ identifier }) => identifier)));
    const isModelThere = create.length + extend.length === 0;
    const query = { dry_run: true, ...(sourceIdentifier === undefined ? {} : { source: sourceIdentifier }) };
    const checked = isModelThere && documents.length > 0 ? await send(planned, query) : undefined;
    return { files, plan: planned, checked };
  }

  async function send({ entities }: PlannedCatalog['plan'], query: ImportQuery): Promise<SentCatalog> {
    const stop = new AbortController();
    running.current = stop;
    const refusals: WireProblem[] = [];
    setProgress({ rows: 0, counts: noCounts });
    async function* parts() {
      for (let from = 0; from < entities.length; from += linesInPart) {
        yield entities
          .slice(from, from + linesInPart)
          .map(({ record: { blueprint, body } }) => JSON.stringify({ blueprint, ...body }));
      }
    }
    try {
      // what is refused takes nobody else along
      const sent = await sendLines(
        createImportServer(stop.signal),
        parts(),
        { missing_targets: 'omit', ...query },
        {
          onProblem: (problem) => refusals.push(problem),
          onProgress: (rows, counts) => setProgress({ rows, counts }),
          onChange: () => undefined,
        },
        stop.signal,
      );
      return { ...sent, refusals };
    } finally {
      running.current = undefined;
      setProgress(undefined);
    }
  }

  /** Makes what the model lacks, and writes the entities as a source, so that they can be undone and uploaded again. */
  async function apply({ plan: planned, files }: PlannedCatalog): Promise<AppliedCatalog> {
    await makeModel(planned);
    const settings = { fileName: files.name.slice(0, 300), format: 'backstage' };
    const { source } =
      sourceIdentifier === undefined
        ? await call('createSource', { body: { type: 'file', title: files.name.slice(0, 100), settings } })
        : await call('patchSource', { params: { source_identifier: sourceIdentifier }, body: { settings } });
    const sent = await send(planned, { dry_run: false, source: source.identifier });
    await refresh(['searchBlueprintEntities', 'listBlueprints', 'listSources', 'getSource', 'listMissing']);
    return { sent, source };
  }

  return { progress, plan, apply, stop: () => running.current?.abort() };
}

/** New blueprints may point at each other: relations and ownership follow once all are there. */
async function makeModel(plan: PlannedCatalog['plan']): Promise<void> {
  const { blueprints } = await call('listBlueprints');
  const { create, extend } = listModelChanges(plan, new Set(blueprints.map(({ identifier }) => identifier)));
  for (const { body } of create) {
    const { relations: _relations, ownership: _ownership, ...bare } = body;
    await call('createBlueprint', { body: bare });
  }
  const patch = (identifier: string, body: object) =>
    call('patchBlueprint', { params: { blueprint_identifier: identifier }, body });
  for (const { identifier, body } of create) {
    const { relations, ownership } = body;
    await patch(identifier, { relations, ...(ownership ? { ownership } : {}) });
  }
  for (const { identifier, body } of extend) {
    await patch(identifier, { schema: body.schema, relations: body.relations });
  }
}
