import { type EntityInfo, namesIn, readOne } from './catalog.ts';
import { requireEntity } from './compile-conditions.ts';
import { fieldValue } from './field-value.ts';
import { answered, type OfferedTools, type Plan } from './plan-steps.ts';
import type { Query } from './query.ts';
import { entityWords } from './query-words.ts';
import { type Field, isDate, type Schema } from './schema.ts';
import { callTool } from './search-page.ts';
import { readTitles, teamTitles } from './titles.ts';
import { boldList, entityAnswer, momentText, valueText } from './write-lines.ts';

type Of<Ask extends Query['ask']> = Extract<Query, { ask: Ask }>;

export function* runOwner({ name }: Of<'owner'>, words: string, offered: OfferedTools): Plan {
  const teams = namesIn(requireEntity(name).team);
  if (teams.length === 0) return answered(`${words}: none, it has no owner.`);
  const titles = yield* teamTitles(teams, offered);
  return answered(`${words}: ${boldList(teams.map((team) => titles.get(team) ?? team))}.`);
}

export function* runTeams({ name }: Of<'teams'>, words: string, offered: OfferedTools): Plan {
  const teams = namesIn(requireEntity(name).team);
  if (teams.length === 0) return answered(`${words}: none.`);
  const titles = yield* teamTitles(teams, offered);
  return answered(`${words}: ${boldList(teams.map((team) => titles.get(team) ?? team))}.`);
}

export function* runField({ name, field }: Of<'field'>, words: string, schema: Schema, offered: OfferedTools): Plan {
  const texts = yield* fieldTexts(requireEntity(name), field, schema, offered);
  return answered(texts.length === 0 ? `${words}: not set.` : `${words}: ${boldList(texts)}.`);
}

export function* runLevel({ name, scorecard }: Of<'level'>, words: string, offered: OfferedTools): Plan {
  const { scorecards } = yield* readWhole(requireEntity(name), offered);
  const level = scorecards?.[scorecard]?.level;
  return answered(level ? `${words}: ${boldList([level])}.` : `${words}: none, the scorecard does not apply to it.`);
}

export function* runCompare(
  { names, field }: Of<'compare'>,
  words: string,
  schema: Schema,
  offered: OfferedTools,
): Plan {
  const [a, b] = [
    yield* readWhole(requireEntity(names[0]), offered),
    yield* readWhole(requireEntity(names[1]), offered),
  ];
  if (field) {
    const texts = [yield* shownTexts(a, field, schema, offered), yield* shownTexts(b, field, schema, offered)];
    return answered(
      `${words}: ${texts.map((each) => (each.length === 0 ? 'not set' : boldList(each))).join(' and ')}.`,
    );
  }
  const fields = a.blueprint === b.blueprint ? (schema.find(a.blueprint ?? '')?.fields ?? []) : [];
  const rows = fields.flatMap((each) => {
    const [left, right] = [fieldValue(a, each), fieldValue(b, each)].map((value) =>
      isUnset(value) ? '–' : valueText(value),
    );
    return left === right || each.kind === 'meta' ? [] : [`| ${each.title} | ${left} | ${right} |`];
  });
  const owners = [a, b].map(({ team }) => namesIn(team).join(', ') || 'none');
  const head = [
    `|  | ${entityWords(a, schema)} | ${entityWords(b, schema)} |`,
    '| --- | --- | --- |',
    `| Owner | ${owners.join(' | ')} |`,
  ];
  return answered(`${words}: where they differ\n\n${[...head, ...rows].join('\n')}`);
}

export function* describeEntity(entity: EntityInfo, schema: Schema, offered: OfferedTools): Plan {
  const whole = offered.has('get_entity') ? yield* readWhole(entity, offered) : entity;
  return answered(entityAnswer(whole, schema.find(entity.blueprint ?? '')));
}

function* readWhole(entity: EntityInfo, offered: OfferedTools): Plan<EntityInfo> {
  const args = { blueprint: entity.blueprint ?? '', identifier: entity.identifier };
  return readOne<EntityInfo>(yield* callTool('get_entity', args, offered), 'entity') ?? entity;
}

function* fieldTexts(entity: EntityInfo, field: Field, schema: Schema, offered: OfferedTools): Plan<string[]> {
  return yield* shownTexts(yield* readWhole(entity, offered), field, schema, offered);
}

/** The values of a field for people: related entities by title, moments with their time. */
function* shownTexts(entity: EntityInfo, field: Field, _schema: Schema, offered: OfferedTools): Plan<string[]> {
  const value = fieldValue(entity, field);
  if (isUnset(value)) return [];
  if (field.target !== undefined) {
    const keys = namesIn(value);
    const titles = yield* readTitles(field.target, keys, offered);
    return keys.map((key) => titles.get(key) ?? key);
  }
  if (isDate(field)) return [momentText(String(value))];
  return Array.isArray(value) ? value.map((each) => valueText(each)) : [valueText(value)];
}

function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
