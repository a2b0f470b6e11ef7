/** One entity as plain data, as the gold answers see it. */
export interface Fact {
  readonly blueprint: string;
  readonly identifier: string;
  readonly title: string;
  readonly team: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
  readonly relations: Readonly<Record<string, string | readonly string[] | null>>;
}

/** What a right answer says. */
export type Gold =
  | { readonly kind: 'set'; readonly identifiers: readonly string[] }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'says'; readonly texts: readonly string[] }
  | { readonly kind: 'groups'; readonly groups: Readonly<Record<string, number>> }
  | { readonly kind: 'ask' }
  | { readonly kind: 'refuse' };

export type QuestionClass =
  | 'list'
  | 'top and group'
  | 'relation'
  | 'count'
  | 'owner'
  | 'time window'
  | 'latest and when'
  | 'people'
  | 'describe'
  | 'scorecard'
  | 'trap'
  | 'must ask'
  | 'must refuse';

export interface Question {
  readonly of: QuestionClass;
  readonly text: string;
  readonly gold: Gold;
}

export function set(found: readonly Fact[]): Gold {
  return { kind: 'set', identifiers: found.map(({ identifier }) => identifier) };
}

export function number(value: number): Gold {
  return { kind: 'number', value };
}

/** All of these texts stand in the answer in bold or code marks, and no other. */
export function says(...texts: string[]): Gold {
  return { kind: 'says', texts };
}

export function groups(of: readonly Fact[], value: (fact: Fact) => unknown): Gold {
  const counted: Record<string, number> = {};
  for (const fact of of) {
    const values = value(fact);
    const each = Array.isArray(values) ? (values.length > 0 ? values : ['none']) : [values ?? 'none'];
    for (const one of each) counted[String(one)] = (counted[String(one)] ?? 0) + 1;
  }
  return { kind: 'groups', groups: counted };
}

export const ask: Gold = { kind: 'ask' };
export const refuse: Gold = { kind: 'refuse' };
