import type { Client } from '@portolan/contract/client';
import { type EntityRecord, entityKey, type TransferProblem } from '@portolan/contract/transfer-file';
import { type EntityOrder, listTargets, orderEntities, type Relations } from './order-entities.ts';
import type { BlueprintPlan } from './plan-blueprints.ts';
import { withoutTargets } from './plan-entities.ts';
import { type PortalStep, writePortal } from './portal-records.ts';
import { writeBlueprints } from './write-blueprints.ts';
import { type PreparedEntity, type SendOptions, sendEntities } from './write-entities.ts';

/** What an import wrote, and what the server refused. */
export interface ImportResult {
  readonly blueprints: number;
  readonly created: number;
  readonly updated: number;
  /** Number of portal records that were new or changed; absent if the file has none. */
  readonly portal?: number;
  readonly problems: readonly TransferProblem[];
}

/** Writes blueprints, then entities in order, then portal records. */
export async function applyImport(
  client: Client,
  plan: BlueprintPlan,
  existing: ReadonlySet<string>,
  order: EntityOrder,
  relations: Relations,
  portal: readonly PortalStep[],
  options: Omit<SendOptions, 'validationOnly'>,
): Promise<ImportResult> {
  const refused = await writeBlueprints(
    client,
    plan,
    existing,
    portal.some(({ kind }) => kind === 'page'),
  );
  const problems = [...refused];
  const written = new Map<string, 'created' | 'updated'>();
  const send = async (sendings: readonly PreparedEntity[]): Promise<void> => {
    const sent = await sendEntities(client, sendings, { ...options, validationOnly: false });
    for (const key of sent.created) written.set(key, 'created');
    for (const key of sent.updated) if (!written.has(key)) written.set(key, 'updated');
    problems.push(...sent.problems);
  };
  for (const wave of order.waves) await send(wave.map(whole));
  await splitCircularRelations(order.knot, relations, written, send);
  const unwritten = await writePortal(portal);
  problems.push(...unwritten);
  const changed = portal.filter(({ plannedChange }) => plannedChange !== 'unchanged').length;
  const outcomes = [...written.values()];
  return {
    blueprints: plan.create.length + plan.update.length - refused.length,
    created: outcomes.filter((plannedChange) => plannedChange === 'created').length,
    updated: outcomes.filter((plannedChange) => plannedChange === 'updated').length,
    ...(portal.length > 0 ? { portal: changed - unwritten.length } : {}),
    problems,
  };
}

/**
 * Writes circular entities in two passes: first only with required relations, in the order these need, then complete.
 * The server refuses circles of required relations.
 */
async function splitCircularRelations(
  knot: readonly EntityRecord[],
  relations: Relations,
  written: ReadonlyMap<string, unknown>,
  send: (sendings: readonly PreparedEntity[]) => Promise<void>,
): Promise<void> {
  const tied = new Set(knot.map(entityKey));
  const { waves, knot: inseparable } = orderEntities(knot, relations, 'required relations');
  for (const wave of waves) {
    const isLeftOut = (key: string): boolean => tied.has(key) && !written.has(key);
    await send(wave.map((record) => ({ record, body: withoutTargets(record, relations, isLeftOut) })));
  }
  await send(inseparable.map(whole));
  const pointing = waves.flat().filter((record) => listTargets(record, relations).some(({ key }) => tied.has(key)));
  await send(pointing.filter((record) => written.has(entityKey(record))).map(whole));
}

function whole(record: EntityRecord): PreparedEntity {
  return { record, body: record.body };
}
