import type { Query } from '../entities/operators.ts';
import { everyBlueprint, type Widget, widgetMap, widgetText } from '../widgets/widget-shape.ts';

/** A new filter with an identifier unique on the page. */
export function newFilter(filters: readonly Widget[]): Widget {
  const taken = new Set(filters.map((each) => widgetText(each, 'identifier')));
  let number = filters.length + 1;
  while (taken.has(`filter_${number}`)) number += 1;
  return { identifier: `filter_${number}`, query: { blueprint: everyBlueprint, combinator: 'and', rules: [] } };
}

/**
 * Sets the title. The identifier stays, because users' disabled filters refer to it; it is shown if there is no title.
 */
export function withTitle(filter: Widget, title: string): Widget {
  const { title: _before, ...others } = filter;
  return title === '' ? others : { ...others, title };
}

/** Changes the blueprint and drops the rules about properties of the previous one. */
export function withBlueprint(filter: Widget, blueprint: string): Widget {
  return { ...filter, query: { ...widgetMap(filter, 'query'), blueprint, combinator: 'and', rules: [] } };
}

/** Replaces the rules; other parts of the query stay. */
export function withRules(filter: Widget, { combinator, rules }: Query): Widget {
  return { ...filter, query: { ...widgetMap(filter, 'query'), combinator, rules } };
}
