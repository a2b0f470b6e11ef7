import { jqQuery } from '@portolan/contract/action-inputs';
import type { ActionBody, SelfServiceTrigger } from '@portolan/contract/actions';
import type { Issue } from '@portolan/contract/errors';
import { searchQuery } from '@portolan/contract/search-query';
import type { JqValue } from '@portolan/jq';
import { checkStoredJq, type StoredJq } from '../../platform/check-stored-jq.ts';
import { toIssues } from '../../platform/http/issues.ts';
import { impossibleRoots } from './event-roots.ts';
import { isSealingKey } from './inputs/seal-for-key.ts';

/**
 * All problems that make an action unusable, with their paths. A condition that is stored with a problem is accepted
 * again: it never holds, and the rest of the action can be changed.
 */
export function checkAction({ trigger }: Pick<ActionBody, 'trigger'>, before?: Pick<ActionBody, 'trigger'>): Issue[] {
  if (trigger.type === 'self-service') return [...checkForm(trigger), ...checkCondition(trigger)];
  const kept = new Set(before ? listConditionExpressions(before) : []);
  return listConditionExpressions({ trigger }).flatMap((expression, at) =>
    kept.has(expression)
      ? []
      : impossibleRoots(expression)
          .filter(({ root }) => root !== published)
          .map(({ message }) => ({ path: `${conditionPath}/${at}`, message })),
  );
}

const conditionPath = '/trigger/condition/expressions';
/** Tests of a published client store a condition that reads this, so it only causes a warning (decision 0076). */
const published = 'properties';

function listConditionExpressions({ trigger }: Pick<ActionBody, 'trigger'>): readonly string[] {
  return trigger.type === 'automation' ? (trigger.condition?.expressions ?? []) : [];
}

function checkForm({ userInputs }: SelfServiceTrigger): Issue[] {
  const at = '/trigger/userInputs';
  const { properties, titles, required, order, steps } = userInputs;
  const inputs = new Set(Object.keys(properties));
  // headings may be placed among the inputs
  const placeable = new Set([...inputs, ...Object.keys(titles ?? {})]);
  const unknown = (names: readonly string[] | null | undefined, among: ReadonlySet<string>, path: string): Issue[] =>
    (names ?? []).flatMap((name, index) =>
      among.has(name) ? [] : [{ path: `${path}/${index}`, message: `"${name}" is no input` }],
    );
  const placed = (steps ?? []).flatMap((step) => step.order ?? []);
  const twice = placed.filter((name, index) => placed.indexOf(name) !== index);
  return [
    ...(order && steps ? [{ path: `${at}/steps`, message: 'cannot stand beside "order"' }] : []),
    ...(Array.isArray(required) ? unknown(required, inputs, `${at}/required`) : []),
    ...unknown(order, placeable, `${at}/order`),
    ...(steps ?? []).flatMap((step, index) => unknown(step.order, placeable, `${at}/steps/${index}/order`)),
    ...twice.map((name) => ({ path: `${at}/steps`, message: `"${name}" stands in two steps` })),
    ...Object.entries(properties).flatMap(([key, { dependsOn }]) =>
      unknown(dependsOn, inputs, `${at}/properties/${key}/dependsOn`),
    ),
  ];
}

/** A condition is evaluated on an entity, so it needs a blueprint (api contract §3.5.2). */
function checkCondition(trigger: SelfServiceTrigger): Issue[] {
  if (trigger.operation === 'CREATE' || !trigger.condition) return [];
  const path = '/trigger/condition';
  if (!trigger.blueprintIdentifier) return [{ path, message: 'needs a "blueprintIdentifier" beside it' }];
  const { combinator, rules } = trigger.condition;
  const parsed = searchQuery.safeParse({ combinator, rules });
  return parsed.success
    ? []
    : toIssues(parsed.error, { combinator, rules }).map((issue) => ({ ...issue, path: `${path}${issue.path}` }));
}

/**
 * Expressions and templates that cannot be parsed and will fail at the run. These are warnings, because clients write
 * templates that only their own backend understands.
 */
export function warnOfAction({ trigger, invocationMethod }: ActionBody): string[] {
  const backend = { use: 'backend', path: '/invocationMethod', template: invocationMethod } as const;
  if (trigger.type === 'automation') {
    const conditions = listConditionExpressions({ trigger }).map((expression, at) => ({
      use: 'condition of an automation' as const,
      path: `${conditionPath}/${at}`,
      expression,
    }));
    const neverHold = conditions.flatMap(({ path, expression }) =>
      impossibleRoots(expression).map(({ message }) => `${path} never holds: it ${message}`),
    );
    return [...neverHold, ...checkStoredJq([...conditions, backend]).warnings];
  }
  const form = jqIn(trigger.userInputs as JqValue, '/trigger/userInputs');
  return [...unusableKeys(trigger), ...checkStoredJq([...form, backend]).warnings];
}

function unusableKeys({ userInputs: { properties } }: SelfServiceTrigger): string[] {
  return Object.entries(properties).flatMap(([key, { encryption }]) => {
    if (typeof encryption !== 'object' || !encryption || isSealingKey(encryption.key)) return [];
    const path = `/trigger/userInputs/properties/${key}/encryption/key`;
    return [`${path} is no public key (RSA, as PEM), so runs with this input are refused`];
  });
}

function jqIn(document: JqValue, path: string): StoredJq[] {
  const query = jqQuery.safeParse(document);
  if (query.success) return [{ use: 'form', path: `${path}/jqQuery`, expression: query.data.jqQuery }];
  if (typeof document !== 'object' || document === null) return [];
  return Object.entries(document).flatMap(([key, value]) => jqIn(value as JqValue, `${path}/${key}`));
}
