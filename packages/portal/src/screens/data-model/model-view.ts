import { plural, t } from '../../kit/translate.ts';
import type { Blueprint } from './blueprint-draft.ts';
import { findNeighbors, type Links } from './model-links.ts';

/** What the map and the focus share: the blueprints, how they relate, and what is sought, selected and known of them. */
export interface ModelView {
  readonly blueprints: readonly Blueprint[];
  readonly links: Links;
  /** Entities by blueprint; undefined until they are counted. */
  readonly counts: ReadonlyMap<string, number> | undefined;
  /** Identifiers that the search finds; undefined where nothing is sought. */
  readonly found: ReadonlySet<string> | undefined;
  readonly selected: string | undefined;
  readonly onSelect: (identifier: string | undefined) => void;
}

export function readCount({ counts }: Pick<ModelView, 'counts'>, identifier: string): number | undefined {
  return counts && (counts.get(identifier) ?? 0);
}

/** A blueprint in words, for those who hear the graph. */
export function describe(view: Pick<ModelView, 'counts' | 'links'>, { identifier, title }: Blueprint): string {
  const { into, out } = findNeighbors(view.links, identifier);
  const count = readCount(view, identifier);
  const entities = count === undefined ? [] : [plural(count, '{count} entity', '{count} entities')];
  return [
    title,
    ...entities,
    t('{count} in', { count: plural(into.length, '{count} relation', '{count} relations') }),
    t('{count} out', { count: out.length }),
  ].join(', ');
}
