import type { Actor } from '../../platform/actor.ts';
import type { ToolSet } from '../../platform/tools/tool-source.ts';

/** The tools that patterns are matched against: each by its own name, even if one gathered tool would replace many. */
export async function listTools({ registry, sources }: ToolSet, actor: Actor) {
  const own = await Promise.all(sources.map((source) => source.list(actor)));
  return [...registry.tools, ...own.flat()]
    .map(({ declaration }) => declaration)
    .filter(({ audience }) => audience === 'developer')
    .map(({ name, title, description, effect }) => ({ name, title, description, changesThings: effect !== 'read' }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
