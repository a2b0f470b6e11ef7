import type { Collector } from '../collect.ts';
import type { JsonObject } from '../documents.ts';
import { isObject } from '../json-pointer.ts';
import { objectAt } from '../reference-context.ts';
import { any, each, entityShape, raw, record, type Shape } from '../shape.ts';
import { shapeOfInputs } from './walk-form.ts';

/** Walks the policies of an action; the migration itself rewrites the lists of teams beside them. */
export function walkActionPermissions(
  collector: Collector,
  permissions: JsonObject,
  userInputs: JsonObject,
  blueprint: string | undefined,
): void {
  const entity = entityShape(blueprint);
  const shared: Readonly<Record<string, Shape>> = {
    blueprint: raw,
    action: raw,
    inputs: shapeOfInputs(userInputs),
    user: { kind: 'user' },
    entity,
    trigger: record({ at: raw, user: { kind: 'user' }, by: record({ user: { kind: 'user' } }) }),
  };
  // `.results.team` without the name of a query is null, so it is reported for review
  const results = each(record({ entities: each(entityShape()) }, any));
  for (const [verb, grant] of Object.entries(permissions)) {
    const policy = objectAt(grant, 'policy');
    for (const [name, query] of Object.entries(objectAt(policy, 'queries'))) {
      const where = { area: 'dynamic-permissions', element: { kind: 'query', identifier: name } } as const;
      collector.query(where, [verb, 'policy', 'queries', name], query, { shape: record(shared, any) });
    }
    const conditions = Array.isArray(policy['conditions']) ? policy['conditions'] : [];
    for (const [at, condition] of conditions.entries()) {
      const path = [verb, 'policy', 'conditions', at];
      const sink = verb === 'approve' ? 'value' : 'truth';
      collector.expression({ area: 'dynamic-permissions' }, path, condition, record({ ...shared, results }, any), sink);
    }
  }
}

/** Walks the policies of a blueprint's permissions, which are searches. */
export function walkBlueprintPermissions(collector: Collector, permissions: JsonObject, blueprint: string): void {
  const shape = record({ user: { kind: 'user' }, entity: entityShape(blueprint) }, any);
  for (const [verb, grant] of Object.entries(objectAt(permissions, 'entities'))) {
    if (!isObject(grant)) continue;
    const where = { area: 'read-policy', element: { kind: 'query', identifier: verb } } as const;
    collector.query(where, ['entities', verb, 'policy'], grant['policy'], { blueprint, shape });
  }
}
