import type { Query } from '../../parts/entities/operators.ts';
import { everyBlueprint, type Widget, widgetMap, widgetText } from '../../parts/widgets/widget-shape.ts';

/** A filter to begin with, by a name that no other of the page has. */
export function newFilter(filters: readonly Widget[]): Widget {
  const taken = new Set(filters.map((each) => widgetText(each, 'identifier')));
  let number = filters.length + 1;
  while (taken.has(`filter_${number}`)) number += 1;
  return { identifier: `filter_${number}`, query: { blueprint: everyBlueprint, combinator: 'and', rules: [] } };
}

/** Without a title it is called by its identifier, which stays: what readers turned off hangs on it. */
export function withTitle(filter: Widget, title: string): Widget {
  const { title: _before, ...others } = filter;
  return title === '' ? others : { ...others, title };
}

/** About other entities; rules that are about the properties of the old ones would find nothing. */
export function withBlueprint(filter: Widget, blueprint: string): Widget {
  return { ...filter, query: { ...widgetMap(filter, 'query'), blueprint, combinator: 'and', rules: [] } };
}

/** With other rules; what else its query says stays. */
export function withRules(filter: Widget, { combinator, rules }: Query): Widget {
  return { ...filter, query: { ...widgetMap(filter, 'query'), combinator, rules } };
}
