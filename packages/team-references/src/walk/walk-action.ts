import type { Collector } from '../collect.ts';
import type { Json, JsonObject } from '../documents.ts';
import { isObject, type Path } from '../json-pointer.ts';
import { objectAt, toText } from '../reference-context.ts';
import { any, entityShape, raw, record, type Shape } from '../shape.ts';
import { shapeOfInputs, walkForm } from './walk-form.ts';
import { walkInvocation } from './walk-invocation.ts';

/** Walks a self-service action or automation, in the form with a trigger and in the older one. */
export function walkAction(collector: Collector, action: JsonObject): void {
  const trigger = objectAt(action, 'trigger');
  const isOld = !isObject(action['trigger']);
  const isAutomation = trigger['type'] === 'automation';
  const blueprint = actionBlueprint(action, trigger);
  const userInputs = isOld ? objectAt(action, 'userInputs') : objectAt(trigger, 'userInputs');
  if (!isAutomation) walkForm(collector, isOld ? ['userInputs'] : ['trigger', 'userInputs'], userInputs, blueprint);
  walkCondition(collector, trigger, blueprint);
  const shape = isAutomation ? automationShape(blueprint) : actionShape(userInputs, blueprint);
  walkInvocation(collector, ['invocationMethod'], objectAt(action, 'invocationMethod'), shape, userInputs);
  for (const key of ['approvalNotification', 'approvalWebhook']) {
    collector.templates({ area: 'webhook-call' }, [key], action[key], shape);
  }
}

export function actionBlueprint(action: JsonObject, trigger: JsonObject): string | undefined {
  const named =
    toText(objectAt(trigger, 'event')['blueprintIdentifier']) ||
    toText(trigger['blueprintIdentifier']) ||
    toText(action['blueprint']) ||
    toText(action['blueprintIdentifier']);
  return named === '' ? undefined : named;
}

const by: Shape = record({ user: { kind: 'user' } });
const triggerShape: Shape = record({ by, user: { kind: 'user' } });

/** The input of a run's templates. */
function actionShape(userInputs: JsonObject, blueprint: string | undefined): Shape {
  return record(
    {
      inputs: shapeOfInputs(userInputs),
      entity: entityShape(blueprint),
      trigger: triggerShape,
      user: { kind: 'user' },
      action: raw,
      run: raw,
      secrets: raw,
      event: raw,
      payload: record({ entity: entityShape(blueprint), properties: raw }, raw),
      context: record({ entity: raw, blueprint: raw }, raw),
    },
    any,
  );
}

/** The input of an automation's conditions and templates: the event, as the root and as `.event`. */
function automationShape(blueprint: string | undefined): Shape {
  const entity = entityShape(blueprint);
  const diff = record({ before: entity, after: entity });
  const event = { diff, context: raw, trigger: triggerShape, action: raw, resourceType: raw, additionalData: raw };
  return record({ ...event, event: record(event), inputs: raw, entity: raw, run: raw, secrets: raw }, any);
}

function walkCondition(collector: Collector, trigger: JsonObject, blueprint: string | undefined): void {
  const condition = objectAt(trigger, 'condition');
  const path: Path = ['trigger', 'condition'];
  const expressions: Json = condition['expressions'] ?? [];
  const shape = automationShape(blueprint);
  const where = { area: 'automation-trigger' } as const;
  for (const [at, expression] of (Array.isArray(expressions) ? expressions : []).entries()) {
    collector.expression(where, [...path, 'expressions', at], expression, shape, 'truth');
  }
  if (Array.isArray(condition['rules'])) {
    collector.query(where, path, condition, {
      shape: record({ user: { kind: 'user' }, entity: entityShape(blueprint), trigger: triggerShape }, any),
      ...(blueprint === undefined ? {} : { blueprint }),
    });
  }
}
