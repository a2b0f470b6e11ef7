import { type Column, listTargets, type TableBlueprint, teamBlueprint } from './column.ts';
import type { ColumnProfile } from './profile-columns.ts';
import type { FindEntities } from './resolve-references.ts';

/** What people call the things that every entity has. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  identifier: ['identifier', 'id', 'key', 'slug', 'name', 'uid', 'code'],
  title: ['title', 'name', 'displayname', 'label', 'service', 'component'],
  team: ['team', 'teams', 'owner', 'owners', 'owningteam', 'ownedby', 'squad', 'group', 'maintainer', 'maintainers'],
  icon: ['icon'],
};

/** What people call properties, by the words that one blueprint or another has for them. */
const propertySynonyms: readonly (readonly string[])[] = [
  ['url', 'link', 'repo', 'repository', 'repositoryurl', 'repourl', 'git'],
  ['description', 'summary', 'about', 'notes'],
  ['lifecycle', 'stage', 'status', 'phase', 'state'],
  ['tier', 'criticality', 'priority', 'importance', 'severity'],
  ['language', 'lang', 'languages', 'technology', 'stack'],
  ['readme', 'documentation', 'docs'],
  ['slack', 'channel', 'slackchannel'],
  ['oncall', 'pager', 'pagerduty'],
  ['environment', 'env'],
];

/** The share of a column's values that have to be entities for it to be a relation to them. */
const relationShare = 0.6;
const valuesLookedUp = 50;

/**
 * Where each column leads, by its heading, then by synonyms, then by what its values name. A column that nothing fits is
 * left out, for the person to decide.
 */
export async function guessColumns(
  profiles: readonly ColumnProfile[],
  blueprint: TableBlueprint,
  find?: FindEntities,
): Promise<Column[]> {
  const guesses = matchByName(
    profiles.map(({ heading }) => heading),
    blueprint,
  );
  const take = (path: string, profile: ColumnProfile | undefined): void => {
    if (profile && !guesses.has(profile.heading) && ![...guesses.values()].includes(path)) {
      guesses.set(profile.heading, path);
    }
  };
  const free = () => profiles.filter(({ heading }) => !guesses.has(heading));
  takeIdentifier(profiles, guesses, take);
  for (const path of listTargets(blueprint)) {
    const words = synonymsOf(path, blueprint);
    take(path, words.map((word) => free().find(({ heading }) => plain(heading) === word)).find(Boolean));
  }
  if (find) {
    for (const [key, { target }] of Object.entries(blueprint.relations ?? {})) {
      take(`relations.${key}`, await findNaming(free(), target, find));
    }
    take('team', await findNaming(free(), teamBlueprint, find));
  }
  return profiles.map((profile) => ({
    heading: profile.heading,
    to: guesses.get(profile.heading) ?? null,
    ...(profile.separator ? { separator: profile.separator } : {}),
    ...(profile.hasDecimalComma ? { hasDecimalComma: true } : {}),
    ...(profile.dateOrder ? { dateOrder: profile.dateOrder } : {}),
  }));
}

/** Where each column leads by its heading alone, for tables that nobody looks at before they are stored. */
export function matchColumns(headings: readonly string[], blueprint: TableBlueprint): Column[] {
  const matched = matchByName(headings, blueprint);
  return headings.map((heading) => ({ heading, to: matched.get(heading) ?? null }));
}

/** Paths by headings that are the key, the path or the title of what the blueprint has. */
function matchByName(headings: readonly string[], blueprint: TableBlueprint): Map<string, string> {
  const matched = new Map<string, string>();
  for (const path of listTargets(blueprint)) {
    const names = namesOf(path, blueprint);
    const heading = headings.find((each) => !matched.has(each) && names.includes(plain(each)));
    if (heading !== undefined) matched.set(heading, path);
  }
  return matched;
}

/** The identifier is a column called so, else one called a name whose values are all different. */
function takeIdentifier(
  profiles: readonly ColumnProfile[],
  guesses: ReadonlyMap<string, string>,
  take: (path: string, profile: ColumnProfile | undefined) => void,
): void {
  if ([...guesses.values()].includes('identifier')) return;
  const free = profiles.filter(({ heading }) => !guesses.has(heading));
  for (const word of synonyms['identifier'] ?? []) {
    const found = free.find(({ heading, isIdentifying }) => isIdentifying && plain(heading) === word);
    if (!found) continue;
    // a name with spaces is a title, which the identifier is made from
    take(found.values.some((value) => /\s/.test(value)) ? 'title' : 'identifier', found);
    return;
  }
  if ([...guesses.values()].includes('title')) return;
  take(
    'identifier',
    free.find(({ isIdentifying, kind }) => isIdentifying && kind === 'text'),
  );
}

function namesOf(path: string, blueprint: TableBlueprint): readonly string[] {
  const [section = '', key = path] = path.split(/\.(.*)/s);
  if (path === section) return [path, `$${path}`];
  const title = section === 'properties' ? blueprint.schema.properties[key]?.title : blueprint.relations?.[key]?.title;
  return [path, key, ...(title ? [title] : [])].map(plain);
}

function synonymsOf(path: string, blueprint: TableBlueprint): readonly string[] {
  const [section = '', key = path] = path.split(/\.(.*)/s);
  if (path === section) return path === 'identifier' ? [] : (synonyms[path] ?? []);
  if (section === 'relations') {
    const target = plain(blueprint.relations?.[key]?.target ?? '');
    return [target, `${target}s`, `${target}name`, `${plain(key)}s`];
  }
  const alike = propertySynonyms.find((words) => words.includes(plain(key))) ?? [];
  return [...alike, `${plain(key)}s`];
}

/** Small letters and digits only: `Repository URL` is `repository_url`. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}0-9$]/gu, '');
}

async function findNaming(
  profiles: readonly ColumnProfile[],
  target: string,
  find: FindEntities,
): Promise<ColumnProfile | undefined> {
  for (const profile of profiles) {
    if (profile.kind !== 'text' && profile.kind !== 'list') continue;
    const { separator } = profile;
    const values = separator ? profile.values.flatMap((value) => value.split(separator)) : profile.values;
    const asked = [...new Set(values.map((value) => value.trim()))].filter(Boolean).slice(0, valuesLookedUp);
    if (asked.length === 0) continue;
    const entities = await find(target, asked);
    const names = new Set(entities.flatMap(({ identifier, title }) => [identifier, title]));
    if (asked.filter((text) => names.has(text)).length >= asked.length * relationShare) return profile;
  }
  return undefined;
}
