import type { Client } from '@portolan/contract/client';
import { type EntityRecord, entityKey, type TransferProblem } from '@portolan/contract/transfer-file';
import { type EntityOrder, listTargets, orderEntities, type Relations } from './order-entities.ts';
import { type PreparedEntity, type SendOptions, sendEntities } from './write-entities.ts';

/** What an import would do with the entities of a file, as far as the server can tell in advance. */
export interface EntityPlan {
  readonly create: number;
  /** Existing entities, unchanged ones included. */
  readonly update: number;
  /**
   * Entities that cannot be validated before something they need exists: a new or changed blueprint, or a required
   * target.
   */
  readonly unchecked: number;
  readonly problems: readonly TransferProblem[];
}

/**
 * Has the server validate the entities without writing. Relations to entities that the import would create are left
 * out, because their targets do not exist yet.
 */
export async function planEntities(
  client: Client,
  { waves, knot }: EntityOrder,
  relations: Relations,
  changing: ReadonlySet<string>,
  options: Omit<SendOptions, 'validationOnly'>,
): Promise<EntityPlan> {
  const missing = new Set<string>();
  const undecided = new Set(knot.map(entityKey));
  const isAbsent = (key: string): boolean => missing.has(key) || undecided.has(key);
  const untied = orderEntities(knot, relations, 'required relations');
  let unchecked = 0;
  let create = 0;
  let update = 0;
  const problems: TransferProblem[] = [];

  for (const wave of [...waves, ...untied.waves, untied.knot]) {
    const sendings: PreparedEntity[] = [];
    for (const record of wave) {
      const needs = listTargets(record, relations).some(({ key, isRequired }) => isRequired && isAbsent(key));
      if (changing.has(record.blueprint) || changing.has(evaluatedBy(record)) || needs) {
        unchecked += 1;
        missing.add(entityKey(record));
        options.onProgress(1);
      } else sendings.push({ record, body: withoutTargets(record, relations, isAbsent) });
    }
    const sent = await sendEntities(client, sendings, { ...options, validationOnly: true });
    create += sent.created.length;
    update += sent.updated.length;
    problems.push(...sent.problems);
    for (const key of sent.created) missing.add(key);
    for (const record of wave) undecided.delete(entityKey(record));
  }
  return { create, update, unchecked, problems };
}

/** The blueprint that a scorecard evaluates; the scorecard entity names it without a relation. */
function evaluatedBy({ blueprint, body }: EntityRecord): string {
  const named = blueprint === '_scorecard' ? body.properties?.['blueprint'] : undefined;
  return typeof named === 'string' ? named : '';
}

/** The body without relation values that point to such targets; a list keeps its other values. */
export function withoutTargets(
  record: EntityRecord,
  relations: Relations,
  isLeftOut: (key: string) => boolean,
): EntityRecord['body'] {
  const leftOut = new Map<string, Set<string>>();
  for (const { relation, key } of listTargets(record, relations)) {
    if (isLeftOut(key)) leftOut.set(relation, (leftOut.get(relation) ?? new Set()).add(key));
  }
  if (leftOut.size === 0) return record.body;
  const kept = Object.entries(record.body.relations ?? {}).flatMap(([relation, value]): [string, typeof value][] => {
    const keys = leftOut.get(relation);
    if (!keys) return [[relation, value]];
    if (!Array.isArray(value)) return [];
    const target = relations.get(record.blueprint)?.[relation]?.target ?? '';
    return [[relation, value.filter((identifier) => !keys.has(entityKey({ blueprint: target, identifier })))]];
  });
  return { ...record.body, relations: Object.fromEntries(kept) };
}
