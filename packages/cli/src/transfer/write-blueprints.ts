import {
  type BlueprintBody,
  type BlueprintPatch,
  createBlueprint,
  patchBlueprint,
} from '@portolan/contract/blueprints';
import { ApiError, type Client } from '@portolan/contract/client';
import type { BlueprintRecord, TransferProblem } from '@portolan/contract/transfer-file';
import type { BlueprintPlan } from './plan-blueprints.ts';

/**
 * Creates and updates blueprints. Circular ones are first created without relations, which follow once all exist.
 * Returns the refused ones; the others are written. If the file has pages, no default pages are created.
 */
export async function writeBlueprints(
  client: Client,
  { create, update }: BlueprintPlan,
  existing: ReadonlySet<string>,
  bringsPages: boolean,
): Promise<TransferProblem[]> {
  const problems: TransferProblem[] = [];
  const known = new Set(existing);
  const attempt = async (record: BlueprintRecord, write: () => Promise<unknown>): Promise<boolean> => {
    try {
      await write();
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || !error.body) throw error;
      const { line, identifier: blueprint } = record;
      problems.push({ line, blueprint, error: error.body.error, message: error.message });
      return false;
    }
  };
  const follow: BlueprintRecord[] = [];
  let waiting = [...create];
  while (waiting.length > 0) {
    const ready = waiting.filter(({ body }) => listTargets(body).every((target) => known.has(target)));
    const batch = ready.length > 0 ? ready : waiting;
    for (const record of batch) {
      const isWhole = ready.length > 0 && !readsAlongPaths(record.body);
      const body = isWhole
        ? record.body
        : ready.length > 0
          ? withoutAggregations(record.body)
          : withoutPointing(record.body);
      if (
        !(await attempt(record, () =>
          client.call(createBlueprint, { query: { create_catalog_page: !bringsPages }, body }),
        ))
      )
        continue;
      known.add(record.identifier);
      if (!isWhole) follow.push(record);
    }
    waiting = waiting.filter((record) => !batch.includes(record));
  }
  const patch = (record: BlueprintRecord, body: BlueprintPatch): Promise<boolean> =>
    attempt(record, () => client.call(patchBlueprint, { params: { blueprint_identifier: record.identifier }, body }));
  // relations first: paths of derived values may use any of them
  const withRelations: BlueprintRecord[] = [];
  for (const record of follow) {
    const { relations } = record.body;
    if (!relations || (await patch(record, { relations }))) withRelations.push(record);
  }
  for (const record of [...withRelations, ...update]) await patch(record, record.body as BlueprintPatch);
  return problems;
}

/** Whether an aggregation names a path, which may use relations of blueprints that are still incomplete. */
function readsAlongPaths({ aggregationProperties }: BlueprintBody): boolean {
  return Object.values(aggregationProperties ?? {}).some(({ pathFilter }) => pathFilter !== undefined);
}

function withoutAggregations({ aggregationProperties: _aggregations, ...body }: BlueprintBody): BlueprintBody {
  return body;
}

function listTargets({ identifier, relations, aggregationProperties }: BlueprintBody): string[] {
  return [...Object.values(relations ?? {}), ...Object.values(aggregationProperties ?? {})]
    .map(({ target }) => target)
    .filter((target) => target !== identifier);
}

/** The blueprint without relations and the derived values that use them. */
function withoutPointing(body: BlueprintBody): BlueprintBody {
  const {
    relations: _relations,
    mirrorProperties: _mirrors,
    calculationProperties: _calculations,
    aggregationProperties: _aggregations,
    ownership: _ownership,
    teamInheritance: _inheritance,
    ...own
  } = body;
  return own;
}
