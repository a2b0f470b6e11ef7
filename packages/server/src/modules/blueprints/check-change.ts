import { isDeepStrictEqual } from 'node:util';
import type { BlueprintBody } from '@portolan/contract/blueprints';
import type { Issue } from '@portolan/contract/errors';
import { isRecord } from '@portolan/contract/json-value';
import type { Tx } from '../../platform/db/database.ts';
import { AppError, invalidRequest, notFound } from '../../platform/errors.ts';
import { holdBlueprintNames } from './blueprint.store.ts';
import { blueprintProperties, blueprintRelations, type StoredBlueprint } from './blueprint.ts';
import type { EntityListener } from './blueprint-listener.ts';

/** @throws AppError `not_found` for the first relation or aggregation whose target does not exist */
export async function checkReferences(tx: Tx, orgId: string, body: BlueprintBody): Promise<void> {
  const targets = new Set([
    ...Object.values(body.relations ?? {}).map((relation) => relation.target),
    ...Object.values(body.aggregationProperties ?? {}).map((aggregation) => aggregation.target),
  ]);
  targets.delete(body.identifier);
  if (targets.size === 0) return;
  const existing = await holdBlueprintNames(tx, orgId, [...targets]);
  const missing = [...targets].find((target) => !existing.has(target));
  if (missing !== undefined) throw notFound('Blueprint', missing);
}

/** Refuses changes of parts that hold data. @throws AppError `invalid_request` with every such change */
export async function checkChange(
  tx: Tx,
  listener: EntityListener,
  before: StoredBlueprint,
  after: BlueprintBody,
): Promise<void> {
  const issues: Issue[] = [];
  for (const [key, property] of Object.entries(after.schema.properties)) {
    const old = Object.hasOwn(blueprintProperties(before), key) ? blueprintProperties(before)[key] : undefined;
    if (old && old.type !== property.type) {
      const path = `/schema/properties/${key}/type`;
      issues.push({ path, message: `cannot change from ${old.type} to ${property.type}; remove the property first` });
    }
  }
  for (const [key, relation] of Object.entries(after.relations ?? {})) {
    const old = Object.hasOwn(blueprintRelations(before), key) ? blueprintRelations(before)[key] : undefined;
    // a relation to the blueprint itself may follow its new name
    const isSelf = old?.target === before.identifier && relation.target === after.identifier;
    if (!old || ((old.target === relation.target || isSelf) && old.many === relation.many)) continue;
    if (await listener.hasRelationValues(tx, before, key)) {
      issues.push({
        path: `/relations/${key}`,
        message: 'target and many cannot change while entities use the relation',
      });
    }
  }
  if (issues.length > 0) throw invalidRequest(issues, 'The blueprint');
}

/**
 * Base fields of a system blueprint must stay; repeating them verbatim is allowed.
 * @throws AppError `managed_field` with every base field that is missing or differs
 */
export function checkSystemStructure(structure: BlueprintBody, after: BlueprintBody): void {
  const issues = differences(
    structure as unknown as Record<string, unknown>,
    after as unknown as Record<string, unknown>,
    '',
  );
  if (issues.length > 0) {
    throw new AppError('managed_field', `"${structure.identifier}" is a system blueprint: it can be extended only`, {
      details: issues,
    });
  }
}

const extendable = new Set([
  '/schema',
  '/schema/properties',
  '/relations',
  '/mirrorProperties',
  '/calculationProperties',
  '/aggregationProperties',
]);

/** Defaults that clients leave out, by map. */
const defaults: Readonly<Record<string, object>> = {
  '/relations': { required: false, many: false },
  '/aggregationProperties': { type: 'number' },
};

/** Whether two parts mean the same, with defaults filled in and null as absent. */
function isSame(map: string, one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(inForce(map, one), inForce(map, other));
}

function inForce(map: string, part: unknown): unknown {
  if (!isRecord(part)) return part ?? undefined;
  const said = Object.entries(part).filter(([, value]) => value !== null && value !== undefined);
  return { ...defaults[map], ...Object.fromEntries(said) };
}

function differences(base: Record<string, unknown>, after: Record<string, unknown>, path: string): Issue[] {
  return Object.entries(base).flatMap(([key, value]) => {
    const at = `${path}/${key}`;
    const other = after[key];
    if (at === '/schema/required') {
      const missing = (value as string[]).filter((name) => !(other as string[] | undefined)?.includes(name));
      return missing.map((name) => ({ path: at, message: `must keep "${name}"` }));
    }
    if (extendable.has(at)) {
      return differences(value as Record<string, unknown>, (other ?? {}) as Record<string, unknown>, at);
    }
    if (isSame(path, value, other)) return [];
    return [{ path: at, message: other === undefined ? 'cannot be removed' : 'cannot be changed' }];
  });
}
