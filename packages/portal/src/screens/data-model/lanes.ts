import type { AnswerOf } from '../../api/api.ts';
import { t } from '../../kit/translate.ts';
import type { Blueprint } from './blueprint-draft.ts';
import { findCommunities } from './communities.ts';
import { connectedWith, type Links } from './model-links.ts';

export interface Lane {
  readonly title: string;
  readonly blueprints: readonly Blueprint[];
}

type SidebarItem = AnswerOf<'getSidebar'>['sidebar']['items'][number];

/**
 * Where blueprints stand in the map: by the folder of their page, else by the data source that writes them, else with
 * those they have most relations with; the built-in ones last.
 */
export function makeLanes(
  blueprints: readonly Blueprint[],
  links: Links,
  sidebar: readonly SidebarItem[],
  sources: ReadonlyMap<string, string>,
): readonly Lane[] {
  const folders = foldersOf(sidebar);
  const lanes = new Map<string, Blueprint[]>(folders.order.map((title) => [title, []]));
  const builtIn: Blueprint[] = [];
  const rest: Blueprint[] = [];
  for (const blueprint of blueprints) {
    const title = folders.of.get(blueprint.identifier) ?? sources.get(blueprint.identifier);
    if (blueprint.identifier.startsWith('_')) builtIn.push(blueprint);
    else if (title === undefined) rest.push(blueprint);
    else lanes.set(title, [...(lanes.get(title) ?? []), blueprint]);
  }
  return [...lanes.entries(), ...laneByCommunity(rest, links), [t('Built-in'), builtIn] as const]
    .filter(([, members]) => members.length > 0)
    .map(([title, members]) => ({ title, blueprints: members }));
}

function laneByCommunity(rest: readonly Blueprint[], links: Links): readonly (readonly [string, Blueprint[]])[] {
  const groups = findCommunities(
    rest.map(({ identifier }) => identifier),
    links,
  );
  const placeOf = new Map(groups.flatMap((members, place) => members.map((each) => [each, place] as const)));
  const communities: Blueprint[][] = groups.map(() => []);
  for (const each of rest) communities[placeOf.get(each.identifier)!]?.push(each);
  const found = communities.filter(({ length }) => length > 1).toSorted((one, other) => other.length - one.length);
  // what is connected with nothing, or only with what has a lane already
  const single = rest.filter(({ identifier }) => communities[placeOf.get(identifier)!]?.length === 1);
  return [
    ...found.map((members): [string, Blueprint[]] => [
      t('Around {title}', { title: mostConnected(members, links)?.title }),
      members,
    ]),
    [t('Other'), single],
  ];
}

/** The blueprint with relations to most others; of several, the first. */
export function mostConnected(blueprints: readonly Blueprint[], links: Links): Blueprint | undefined {
  const counted = blueprints.map((each) => ({ each, count: connectedWith(links, each.identifier).size }));
  const most = Math.max(...counted.map(({ count }) => count));
  return counted.find(({ count }) => count === most)?.each;
}

function foldersOf(items: readonly SidebarItem[]): { order: readonly string[]; of: ReadonlyMap<string, string> } {
  const titles = new Map(
    items
      .filter(({ sidebarType }) => sidebarType === 'folder')
      .map((each) => [each.identifier, each.title || each.identifier]),
  );
  const of = new Map<string, string>();
  for (const item of items) {
    if (item.sidebarType !== 'page' || item.type !== 'blueprint-entities' || !item.blueprint) continue;
    const title = item.parent && titles.get(item.parent);
    if (title && !of.has(item.blueprint)) of.set(item.blueprint, title);
  }
  return { order: [...titles.values()], of };
}

/** The data source that writes each blueprint, as the mappings of integrations name it. */
export function listSources(integrations: readonly { title?: unknown; installationId?: unknown; config?: unknown }[]) {
  const found = new Map<string, string>();
  for (const { title, installationId, config } of integrations) {
    const resources = (config as { resources?: unknown } | null | undefined)?.resources;
    if (!Array.isArray(resources)) continue;
    for (const resource of resources as { port?: { entity?: { mappings?: { blueprint?: unknown } } } }[]) {
      const named = /^"([^"\\]+)"$/.exec(String(resource?.port?.entity?.mappings?.blueprint ?? ''))?.[1];
      if (named && !found.has(named)) found.set(named, String(title || installationId));
    }
  }
  return found;
}
