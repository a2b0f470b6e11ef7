import type { Blueprint } from './blueprint-draft.ts';

/** All relations from one blueprint to another, as one arrow. */
export interface Link {
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly isRequired: boolean;
}

/** The blueprints that one is connected with. */
export interface Neighbors {
  readonly into: readonly Link[];
  readonly out: readonly Link[];
}

export type Links = ReadonlyMap<string, Neighbors>;

type Related = Pick<Blueprint, 'identifier' | 'relations'>;

const none: Neighbors = { into: [], out: [] };

/** The relations between these blueprints, by blueprint; relations to others are left out. */
export function collectLinks(blueprints: readonly Related[]): Links {
  const all = new Map(blueprints.map(({ identifier }) => [identifier, { into: [] as Link[], out: [] as Link[] }]));
  for (const { identifier: from, relations } of blueprints) {
    const merged = new Map<string, Link>();
    for (const [key, { target: to, title, required, many }] of Object.entries(relations)) {
      if (!all.has(to)) continue;
      const before = merged.get(to);
      const name = `${title ?? key}${many ? ' (many)' : ''}`;
      const label = before ? `${before.label}, ${name}` : name;
      merged.set(to, { from, to, label, isRequired: required || (before?.isRequired ?? false) });
    }
    for (const link of merged.values()) {
      all.get(from)?.out.push(link);
      all.get(link.to)?.into.push(link);
    }
  }
  return all;
}

export function findNeighbors(links: Links, identifier: string): Neighbors {
  return links.get(identifier) ?? none;
}

/** The other ends of all relations, each once, without the blueprint itself. */
export function connectedWith(links: Links, identifier: string): ReadonlySet<string> {
  const { into, out } = findNeighbors(links, identifier);
  const found = new Set([...into.map(({ from }) => from), ...out.map(({ to }) => to)]);
  found.delete(identifier);
  return found;
}
