import { displayTitle, type EntityInfo, namesIn } from './catalog.ts';
import { cite, type Referred } from './cite.ts';
import type { Groups } from './compile-conditions.ts';
import { fieldValue } from './field-value.ts';
import { plain } from './query-words.ts';
import { type Field, isDate, type TypeInfo } from './schema.ts';
import type { Titled } from './titles.ts';

const valueCharactersMax = 200;

/** As in `- **Billing API** (`billing-api`) · Language: Go`. */
export function entityLines(
  entities: readonly EntityInfo[],
  facts: (entity: EntityInfo) => readonly string[] = () => [],
  beside?: Referred,
): string[] {
  return entities.map(
    (entity) => ['- '.concat(formatName(entity)), ...facts(entity)].join(' · ') + cite(entity, beside),
  );
}

export function moreLine(total: number, shown: number, page?: Referred): string[] {
  return total > shown ? [`- … and ${total - shown} more${cite(page)}`] : [];
}

function formatName(entity: EntityInfo): string {
  const title = displayTitle(entity);
  const identifier = `\`${entity.identifier.replaceAll('`', "'")}\``;
  return title === entity.identifier ? identifier : `**${plain(title)}** (${identifier})`;
}

export function factLines(entity: EntityInfo, fields: readonly Field[]): string[] {
  return fields.flatMap((field) => {
    const value = fieldValue(entity, field);
    if (value === undefined || value === null) return [];
    return [`${plain(field.title)}: ${isDate(field) ? momentText(String(value)) : valueText(value)}`];
  });
}

export function groupLines(groups: Groups['groups'], titles: ReadonlyMap<string, Titled>, read?: Referred): string[] {
  return groups.map(({ value, count }) => {
    const titled = titles.get(String(value));
    const name = value === null || value === undefined ? 'none' : (titled?.title ?? valueText(value));
    return `- ${plain(name)}: **${count}**${cite(read, titled)}`;
  });
}

export function boldList(texts: readonly string[]): string {
  return texts.map((text) => `**${plain(text)}**`).join(', ');
}

/** As in "2026-03-01 14:30 UTC"; a day alone stays one. */
export function momentText(text: string): string {
  const at = new Date(text);
  if (/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(at.getTime())) return text;
  const [day = '', time = ''] = at.toISOString().split('T');
  return `${day} ${time.slice(0, 5)} UTC`;
}

export function valueText(value: unknown): string {
  const text =
    typeof value === 'string'
      ? value
      : Array.isArray(value) && value.every((item) => typeof item !== 'object')
        ? value.join(', ')
        : (JSON.stringify(value) ?? '');
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > valueCharactersMax ? `${line.slice(0, valueCharactersMax)}…` : line;
}

/** Everything set on an entity: owner, properties, relations. */
export function entityAnswer(entity: EntityInfo, type: TypeInfo | undefined): string {
  const owners = namesIn(entity.team);
  const lines = [`- Owner: ${owners.length > 0 ? boldList(owners) : 'none'}`];
  const titleOf = (key: string, kind: Field['kind']): string =>
    plain(type?.fields.find((field) => field.key === key && field.kind === kind)?.title ?? key);
  for (const [key, value] of Object.entries(entity.properties ?? {})) {
    if (value === null || value === undefined || value === '') continue;
    lines.push(`- ${titleOf(key, 'property')}: ${plain(valueText(value))}`);
  }
  for (const [key, value] of Object.entries(entity.relations ?? {})) {
    const names = namesIn(value);
    if (names.length === 0) continue;
    lines.push(`- ${titleOf(key, 'relation')}: ${names.map((name) => `\`${name.replaceAll('`', "'")}\``).join(', ')}`);
  }
  for (const [scorecard, { level }] of Object.entries(entity.scorecards ?? {})) {
    if (level) lines.push(`- ${plain(scorecard)}: ${plain(level)}`);
  }
  const mark = cite(entity);
  const all = lines.map((line) => line + mark).join('\n');
  return `${formatName(entity)} is of type ${plain(type?.title ?? entity.blueprint ?? 'entity')}.${mark}\n\n${all}`;
}

/** A type's content, for "what is a service". */
export function typeAnswer({ id, title, description, fields }: TypeInfo): string {
  const own = fields.filter(({ kind }) => kind === 'property');
  const properties = own.map(({ key, title: name, type, values }) => {
    const choice = values.length > 0 && values.length <= 12 ? ` (${values.join(', ')})` : '';
    return `- ${plain(name)} \`${key}\`: ${type}${choice}`;
  });
  const relations = fields
    .filter(({ kind }) => kind === 'relation')
    .map(
      ({ key, title: name, target, isMany }) =>
        `- ${plain(name)} \`${key}\` → ${isMany ? 'many ' : ''}\`${target ?? '?'}\``,
    );
  return [
    `**${plain(title)}** (\`${id}\`) is a type of thing in the catalog${description ? `: ${description}` : '.'}`,
    properties.length > 0 ? `Properties\n\n${properties.join('\n')}` : '',
    relations.length > 0 ? `Relations\n\n${relations.join('\n')}` : '',
  ]
    .filter(Boolean)
    .join('\n\n');
}
