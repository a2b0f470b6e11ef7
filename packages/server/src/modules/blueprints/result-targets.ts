import { isDeepStrictEqual } from 'node:util';
import type { BlueprintBody } from '@portolan/contract/blueprints';
import { AppError } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { unchanged } from '../accounts/index.ts';
import { lockBlueprint, updateBlueprintRow } from './blueprint.store.ts';
import { blueprintProperties, blueprintRelations, listDerivedKeys, type StoredBlueprint } from './blueprint.ts';
import type { EntityListener } from './blueprint-listener.ts';
import { recordBlueprint } from './record-blueprint.ts';
import { resultTargets, resultTargetType } from './scorecard-blueprints.ts';

const results = '_rule_result';

/** The relation of results to entities of a blueprint; undefined if the blueprint never had a scorecard. */
export function findResultTarget(ruleResult: StoredBlueprint, blueprint: string): string | undefined {
  return Object.entries(resultTargets(ruleResult)).find(([, { target }]) => target === blueprint)?.[0];
}

/**
 * Adds the relation of results to a blueprint with its first scorecard. Call it last: after a change of a blueprint nothing
 * is derived until the transaction ends.
 */
export async function addResultTarget(
  listener: Pick<EntityListener, 'adapt'>,
  work: Work,
  { identifier, definition }: StoredBlueprint,
): Promise<void> {
  const before = await lockBlueprint(work.tx, work.actor.orgId, results);
  if (!before || findResultTarget(before, identifier) !== undefined) return;
  const taken = new Set([
    ...Object.keys(blueprintProperties(before)),
    ...Object.keys(blueprintRelations(before)),
    ...listDerivedKeys(before),
  ]);
  // keys of relations allow fewer characters than identifiers of blueprints
  const stem = identifier.replaceAll(/[^A-Za-z0-9@_=\\-]/g, '_').slice(0, 90);
  let key = stem;
  for (let number = 2; taken.has(key); number += 1) key = `${stem}_${number}`;
  const relation = {
    title: definition.title ?? identifier,
    target: identifier,
    required: false,
    many: false,
    type: resultTargetType,
  };
  await change(listener, work, before, { ...before.definition.relations, [key]: relation });
}

/** Removes the relation to a deleted blueprint without entities. */
export async function removeResultTarget(
  listener: Pick<EntityListener, 'adapt'>,
  work: Work,
  { identifier }: StoredBlueprint,
): Promise<void> {
  const before = await lockBlueprint(work.tx, work.actor.orgId, results);
  const key = before && findResultTarget(before, identifier);
  if (!before || key === undefined) return;
  const { [key]: _gone, ...relations } = before.definition.relations ?? {};
  await change(listener, work, before, relations);
}

async function change(
  listener: Pick<EntityListener, 'adapt'>,
  work: Work,
  before: StoredBlueprint,
  relations: NonNullable<BlueprintBody['relations']>,
): Promise<void> {
  const next = { ...before, definition: { ...before.definition, relations } };
  const after = await updateBlueprintRow(work.tx, unchanged(next), work.actor, work.now);
  await listener.adapt(work, before, after);
  recordBlueprint(work, 'UPDATE', before, after);
}

/**
 * A new definition of results with the platform's relations, which stay if left out and cannot change. Nobody else
 * creates such relations.
 * @throws AppError `managed_field`
 */
export function withResultTargets(before: StoredBlueprint, body: BlueprintBody): BlueprintBody {
  if (before.identifier !== results) return body;
  const targets = resultTargets(before);
  const written = body.relations ?? {};
  const wrong = Object.entries(written)
    .filter(([key, relation]) => {
      if (Object.hasOwn(targets, key)) return !isDeepStrictEqual(relation, targets[key]);
      return relation.type === resultTargetType;
    })
    .map(([key]) => ({ path: `/relations/${key}`, message: 'is written by the platform alone' }));
  if (wrong.length === 0) return { ...body, relations: { ...targets, ...written } };
  const message = 'Relations of results to what they are about are made by the platform; leave them as they are';
  throw new AppError('managed_field', message, { details: wrong });
}
