import type { Column, TableProperty } from './column.ts';
import { guessColumns } from './guess-columns.ts';
import { slug, toKey } from './identifiers.ts';
import type { ColumnProfile, ValueKind } from './profile-columns.ts';

/** A blueprint as the API takes it, with the properties that the columns of a table need. */
export interface MadeBlueprint {
  readonly identifier: string;
  readonly title: string;
  readonly schema: { readonly properties: Readonly<Record<string, TableProperty & { readonly title: string }>> };
  readonly ownership?: { readonly type: 'Direct' };
}

/** A text becomes a choice if it has so few different values over so many rows. */
const choicesMax = 12;
const rowsForChoicesMin = 50;

const ofKind: Readonly<Record<ValueKind, TableProperty>> = {
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date-time' },
  url: { type: 'string', format: 'url' },
  email: { type: 'string', format: 'email' },
  list: { type: 'array' },
  object: { type: 'object' },
  text: { type: 'string' },
};

/** A blueprint made from a table, and the columns that fill it. Columns without any value make no property. */
export async function makeBlueprint(
  title: string,
  profiles: readonly ColumnProfile[],
): Promise<{ blueprint: MadeBlueprint; columns: Column[] }> {
  const identifier = slug(title)?.slice(0, 100) ?? 'table';
  // with no properties, only identifier, title, team and icon are guessed
  const guessed = await guessColumns(profiles, { identifier, schema: { properties: {} } });
  const properties: Record<string, TableProperty & { title: string }> = {};
  const columns = guessed.map((column, index): Column => {
    const profile = profiles[index];
    if (!profile || column.to !== null || profile.filled === 0) return column;
    const key: string = freeKey(toKey(profile.heading) ?? `column${index + 1}`, properties);
    properties[key] = { ...propertyOf(profile), title: profile.heading.slice(0, 100) };
    return { ...column, to: `properties.${key}` };
  });
  const ownership = columns.some(({ to }) => to === 'team') ? { ownership: { type: 'Direct' as const } } : {};
  return {
    blueprint: { identifier, title: title.slice(0, 100), schema: { properties }, ...ownership },
    columns: withIdentifier(columns),
  };
}

function propertyOf(profile: ColumnProfile): TableProperty {
  if (profile.kind !== 'text') return ofKind[profile.kind];
  const isChoice = profile.values.length <= choicesMax && profile.filled >= rowsForChoicesMin;
  return isChoice ? { type: 'string', enum: profile.values } : ofKind.text;
}

function freeKey(wanted: string, properties: Readonly<Record<string, unknown>>): string {
  let key = wanted;
  for (let number = 2; Object.hasOwn(properties, key); number++) key = `${wanted}${number}`;
  return key;
}

/** A table without a column that identifies its rows goes by its first column, which may refuse rows. */
function withIdentifier(columns: readonly Column[]): Column[] {
  const has = columns.some(({ to }) => to === 'identifier' || to === 'title');
  return columns.map((column, index) => (has || index > 0 ? column : { ...column, to: 'title' }));
}
