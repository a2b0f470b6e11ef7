import { type BlueprintInfo, displayTitle, type EntityInfo, type EntityPage, namesIn, pluralTitle } from './catalog.ts';

const shownMax = 25;
const valueCharactersMax = 200;

/** As in `**Billing API** (`billing-api`)`. */
function formatName(entity: EntityInfo): string {
  const title = displayTitle(entity);
  return title === entity.identifier ? `\`${entity.identifier}\`` : `**${plain(title)}** (\`${entity.identifier}\`)`;
}

/** The entity's teams for people; undefined if it has none. */
function formatOwners(entity: EntityInfo): string | undefined {
  const names = namesIn(entity.team);
  return names.length > 0 ? names.map((name) => `**${plain(name)}**`).join(', ') : undefined;
}

export interface ListAnswer {
  readonly page: EntityPage;
  readonly blueprint: BlueprintInfo | undefined;
  readonly phrases: readonly string[];
  readonly columns: readonly string[];
  readonly showsOwners: boolean;
  /** Closing remarks on parts that were not understood or examined. */
  readonly notes: readonly string[];
}

/** The number first, then names and values. */
export function listAnswer({ page, blueprint, phrases, columns, showsOwners, notes }: ListAnswer): string {
  const shown = page.entities.slice(0, shownMax);
  const lines = shown.map((entity) => {
    const facts = columns.flatMap((key) => formatFact(entity, key, blueprint));
    if (showsOwners) facts.push(`owner: ${formatOwners(entity) ?? 'none'}`);
    return `- ${formatName(entity)}${facts.length > 0 ? ` · ${facts.join(' · ')}` : ''}`;
  });
  if (page.total > shown.length) lines.push(`- … and ${page.total - shown.length} more`);
  return [countAnswer(page.total, blueprint, phrases, lines.length > 0 ? ':' : '.'), lines.join('\n'), ...notes]
    .filter(Boolean)
    .join('\n\n');
}

export const unownedPhrase = 'without an owner';

/** As in `**3 Services** match: Language is Go.` */
export function countAnswer(
  total: number,
  blueprint: BlueprintInfo | undefined,
  phrases: readonly string[],
  end = '.',
): string {
  const one = blueprint ? displayTitle(blueprint) : 'entity';
  const many = blueprint ? pluralTitle(blueprint) : 'entities';
  const what = total === 0 ? `No ${one}` : `**${total} ${total === 1 ? one : many}**`;
  const isOne = total < 2;
  if (phrases.length === 0) return `${what} ${isOne ? 'is' : 'are'} in the catalog${end}`;
  if (phrases.length === 1 && phrases[0] === unownedPhrase) return `${what} ${isOne ? 'has' : 'have'} no owner${end}`;
  return `${what} ${isOne ? 'matches' : 'match'}: ${phrases.join(', ')}.`;
}

function formatFact(entity: EntityInfo, key: string, blueprint: BlueprintInfo | undefined): string[] {
  const value = entity.properties?.[key];
  if (value === undefined || value === null) return [];
  return [`${blueprint?.properties?.[key]?.title ?? key}: ${valueText(value)}`];
}

/** Everything set on an entity: owner, properties, relations. */
export function entityAnswer(entity: EntityInfo, blueprint: BlueprintInfo | undefined): string {
  const type = blueprint ? displayTitle(blueprint) : (entity.blueprint ?? 'entity');
  const lines = [`- Owner: ${formatOwners(entity) ?? 'none'}`];
  for (const [key, value] of Object.entries(entity.properties ?? {})) {
    if (value === null || value === undefined || value === '') continue;
    lines.push(`- ${plain(blueprint?.properties?.[key]?.title ?? key)}: ${valueText(value)}`);
  }
  for (const [key, value] of Object.entries(entity.relations ?? {})) {
    const names = namesIn(value);
    if (names.length === 0) continue;
    const title = blueprint?.relations?.[key]?.title ?? key;
    lines.push(`- ${plain(title)}: ${names.map((name) => `\`${name}\``).join(', ')}`);
  }
  return `${formatName(entity)} is of type ${type}.\n\n${lines.join('\n')}`;
}

/** A blueprint's content, for "what is a service". */
export function blueprintAnswer(blueprint: BlueprintInfo): string {
  const properties = Object.entries(blueprint.properties ?? {}).map(([key, { title, type, enum: values }]) => {
    const choice = values && values.length <= 12 ? ` (${values.join(', ')})` : '';
    return `- ${plain(title ?? key)} \`${key}\`: ${type ?? 'any'}${choice}`;
  });
  const relations = Object.entries(blueprint.relations ?? {}).map(
    ([key, { title, target, many }]) =>
      `- ${plain(title ?? key)} \`${key}\` → ${many ? 'many ' : ''}\`${target ?? '?'}\``,
  );
  const about = blueprint.description ? `: ${blueprint.description}` : '.';
  return [
    `**${plain(displayTitle(blueprint))}** (\`${blueprint.identifier}\`) is a type of thing in the catalog${about}`,
    properties.length > 0 ? `Properties\n\n${properties.join('\n')}` : '',
    relations.length > 0 ? `Relations\n\n${relations.join('\n')}` : '',
  ]
    .filter(Boolean)
    .join('\n\n');
}

export function blueprintsAnswer(blueprints: readonly BlueprintInfo[]): string {
  const lines = blueprints.map(({ identifier, title, description }) => {
    const about = description ? `: ${description}` : '';
    return `- **${plain(title ?? identifier)}** (\`${identifier}\`)${about}`;
  });
  return `The catalog holds ${blueprints.length} types of things.\n\n${lines.join('\n')}`;
}

/** The owners of the found entities; the first line answers the question, the others cover further matches. */
export function ownerAnswer(entities: readonly EntityInfo[]): string {
  const lines = entities.slice(0, 5).map((entity) => {
    const type = entity.blueprint ? `${entity.blueprint} ` : '';
    const owners = formatOwners(entity);
    const says = owners ? `is owned by ${owners}` : '**has no owner**';
    return `${type}${formatName(entity)} ${says}.`.replace(/^./u, (letter) => letter.toUpperCase());
  });
  return lines.length === 1 ? lines[0]! : lines.map((line) => `- ${line}`).join('\n');
}

function valueText(value: unknown): string {
  const text =
    typeof value === 'string'
      ? value
      : Array.isArray(value) && value.every((item) => typeof item !== 'object')
        ? value.join(', ')
        : JSON.stringify(value);
  const line = text.replace(/\s+/g, ' ').trim();
  return plain(line.length > valueCharactersMax ? `${line.slice(0, valueCharactersMax)}…` : line);
}

/** Keeps catalog text from becoming Markdown structure. */
function plain(text: string): string {
  return text.replace(/[\\`*_[\]<>|#]/g, (sign) => (sign === '_' ? '_' : `\\${sign}`)).replace(/\s*\n\s*/g, ' ');
}
