/** One integration: blueprints as it defines them, entities as it writes them, and what must come of them. */
export interface Integration {
  readonly name: string;
  readonly blueprints: readonly Blueprint[];
  readonly scorecards?: Readonly<Record<string, object>>;
  /** By blueprint, in the order written. */
  readonly entities: readonly (readonly [blueprint: string, entity: object])[];
  /** Properties of entities after everything is written, by `blueprint/entity`. */
  readonly expected: Readonly<Record<string, object>>;
}

export interface Blueprint {
  readonly identifier: string;
  readonly title: string;
  readonly [section: string]: unknown;
}

export const text = { type: 'string' };
export const number = { type: 'number' };
export const url = { type: 'string', format: 'url' };
export const when = { type: 'string', format: 'date-time' };
/** A relation to one, unless told otherwise. */
export const to = (target: string, more: object = {}) => ({ target, required: false, many: false, ...more });
/** A rule of a query. */
export const equals = (property: string, value: unknown) => ({ property, operator: '=', value });
/** A count of entities, of those that fit the rules. */
export const counted = (title: string, target: string, rules?: object[], more: object = {}) => ({
  title,
  target,
  type: 'number',
  calculationSpec: { calculationBy: 'entities', func: 'count' },
  ...(rules ? { query: { combinator: 'and', rules } } : {}),
  ...more,
});
