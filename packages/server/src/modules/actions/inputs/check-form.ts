import { jqQuery, type UserInputs } from '@portolan/contract/action-inputs';
import type { Issue } from '@portolan/contract/errors';
import type { JqValue } from '@portolan/jq';
import type { StoredJq } from '../../../platform/check-stored-jq.ts';
import { isSealingKey } from './seal-for-key.ts';

/** What makes a form unusable: names that are no input, and inputs that stand twice. `at` is the place of the form. */
export function checkForm(form: UserInputs, at: string): Issue[] {
  const { properties, titles, required, order, steps } = form;
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

/** Every expression of a form. */
export function listFormJq(form: UserInputs, at: string): StoredJq[] {
  return jqIn(form as JqValue, at);
}

/** Keys that cannot seal the values of their inputs. */
export function warnOfKeys({ properties }: UserInputs, at: string): string[] {
  return Object.entries(properties).flatMap(([key, { encryption }]) => {
    if (typeof encryption !== 'object' || !encryption || isSealingKey(encryption.key)) return [];
    const path = `${at}/properties/${key}/encryption/key`;
    return [`${path} is no public key (RSA, as PEM), so runs with this input are refused`];
  });
}

function jqIn(document: JqValue, path: string): StoredJq[] {
  const query = jqQuery.safeParse(document);
  if (query.success) return [{ use: 'form', path: `${path}/jqQuery`, expression: query.data.jqQuery }];
  if (typeof document !== 'object' || document === null) return [];
  return Object.entries(document).flatMap(([key, value]) => jqIn(value as JqValue, `${path}/${key}`));
}
