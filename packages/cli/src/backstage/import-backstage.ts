import { type PlannedEntity, planCatalog, type SearchEntities } from '@portolan/backstage';
import { type Blueprint, listBlueprints } from '@portolan/contract/blueprints';
import type { Client } from '@portolan/contract/client';
import type { Entity } from '@portolan/contract/entities';
import { getOwnOrganization, hasTeamsAsBlueprints } from '@portolan/contract/organization';
import { searchBlueprintEntities } from '@portolan/contract/search';
import { usageError } from '../cli-error.ts';
import type { Arguments } from '../command.ts';
import { connect, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { importFile } from '../transfer/import-file.ts';
import type { ImportReport } from '../transfer/import-report.ts';
import { planBlueprints } from '../transfer/plan-blueprints.ts';
import { type BackstageReport, reportText } from './backstage-report.ts';
import { type ReadDocuments, readDocuments } from './read-documents.ts';

/** `portolan import backstage <folder, repository or address>`: the plan, and with --apply the writing. */
export async function importBackstage(input: Arguments, context: Context): Promise<ExitCode> {
  const [, place, ...rest] = input.words;
  if (!place || rest.length > 0) {
    throw usageError('Name a folder, a repository (….git) or the address of a Backstage: portolan import backstage .');
  }
  const read = await readDocuments(place, input, context);
  const { client, address } = connect(input, context);
  const report = await explained(address, () => planAndWrite(client, read, input.flag('apply'), context));
  context.out.write(input.flag('json') ? `${JSON.stringify(report)}\n` : reportText(report, read.from, context.out));
  return report.ok ? exitCodes.ok : exitCodes.partial;
}

async function planAndWrite(
  client: Client,
  read: ReadDocuments,
  isApplied: boolean,
  context: Context,
): Promise<BackstageReport> {
  const existing = (await client.call(listBlueprints)).blueprints as Blueprint[];
  const { organization } = await client.call(getOwnOrganization);
  const now = {
    blueprints: existing,
    hasTeamsAsBlueprints: hasTeamsAsBlueprints(organization),
    search: searchWith(client),
  };
  const addressOf = (reference: string) => read.addresses.get(reference);
  const { model, entities: plan, problems: unmapped } = await planCatalog(read.documents, now, { addressOf });
  const writes = plan.filter(({ change }) => change !== 'unchanged');
  const written = await importFile(
    client,
    {
      blueprints: model,
      entities: writes.map(({ record }) => record),
      scorecards: [],
      actions: [],
      folders: [],
      pages: [],
      workflows: [],
      problems: [],
    },
    context,
    { isDryRun: !isApplied, keepsGoing: true, onPlan: () => {} },
  );
  const { create, update, unchanged } = planBlueprints(model, existing);
  const problems = [...[...read.problems, ...unmapped], ...refusals(written, plan, read)];
  return {
    ok: problems.every(({ severity }) => severity !== 'error'),
    blueprints: { create: namesOf(create), update: namesOf(update), unchanged: namesOf(unchanged) },
    entities: plan.map(({ draft, change, fields }) => ({
      item: draft.key,
      blueprint: draft.blueprint,
      identifier: draft.identifier,
      change,
      ...(fields.length > 0 ? { fields } : {}),
    })),
    problems,
    applied: written.applied && { created: written.applied.created, updated: written.applied.updated },
  };
}

function searchWith(client: Client): SearchEntities {
  return async (blueprint, body) => {
    const params = { blueprint_identifier: blueprint };
    return (await client.call(searchBlueprintEntities, { params, body: body as never })).entities as Entity[];
  };
}

function namesOf(records: readonly { readonly identifier: string }[]): readonly string[] {
  return records.map(({ identifier }) => identifier);
}

/** What the server would refuse, at the place of the document. */
function refusals(
  { problems }: ImportReport,
  plan: readonly PlannedEntity[],
  { documents }: ReadDocuments,
): readonly BackstageReport['problems'][number][] {
  const places = new Map(documents.map(({ document, place }) => [document, place]));
  return problems.map(({ line, blueprint, identifier, error, message }) => {
    const draft = identifier === undefined ? undefined : plan[line - 1]?.draft;
    const document = draft?.properties['backstage'];
    const place = [...places].find(([one]) => (one as unknown) === document)?.[1] ?? null;
    const subject = identifier === undefined ? `Blueprint ${blueprint}` : `${blueprint} "${identifier}"`;
    return {
      severity: 'error',
      code: error,
      message: `${subject} is refused: ${message}`,
      item: draft?.key ?? null,
      place,
    };
  });
}
