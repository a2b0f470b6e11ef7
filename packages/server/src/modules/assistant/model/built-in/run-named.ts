import { type EntityInfo, namesIn, readOne } from './catalog.ts';
import { cite, type Referred } from './cite.ts';
import { requireEntity } from './compile-conditions.ts';
import { fieldValue } from './field-value.ts';
import { answered, type OfferedTools, type Plan } from './plan-steps.ts';
import type { Query } from './query.ts';
import { entityWords } from './query-words.ts';
import { type Field, isDate, type Schema } from './schema.ts';
import { callTool } from './search-page.ts';
import { readTitles, type Titled, teamTitles } from './titles.ts';
import { boldList, entityAnswer, momentText, valueText } from './write-lines.ts';

type Of<Ask extends Query['ask']> = Extract<Query, { ask: Ask }>;

export function* runOwner({ name }: Of<'owner'>, words: string, offered: OfferedTools): Plan {
  return yield* tellTeams(requireEntity(name), `${words}: none, it has no owner.`, words, offered);
}

export function* runTeams({ name }: Of<'teams'>, words: string, offered: OfferedTools): Plan {
  return yield* tellTeams(requireEntity(name), `${words}: none.`, words, offered);
}

function* tellTeams(entity: EntityInfo, none: string, words: string, offered: OfferedTools): Plan {
  const teams = namesIn(entity.team);
  if (teams.length === 0) return answered(none + cite(entity));
  const titles = yield* teamTitles(teams, offered);
  const shown = teams.map((team): Titled => titles.get(team) ?? { title: team });
  return answered(`${words}: ${boldList(shown.map(({ title }) => title))}.${cite(entity, ...shown)}`);
}

export function* runField({ name, field }: Of<'field'>, words: string, schema: Schema, offered: OfferedTools): Plan {
  const { texts, read } = yield* shownTexts(yield* readWhole(requireEntity(name), offered), field, schema, offered);
  const mark = cite(...read);
  return answered(texts.length === 0 ? `${words}: not set.${mark}` : `${words}: ${boldList(texts)}.${mark}`);
}

export function* runLevel({ name, scorecard }: Of<'level'>, words: string, offered: OfferedTools): Plan {
  const whole = yield* readWhole(requireEntity(name), offered);
  const level = whole.scorecards?.[scorecard]?.level;
  const told = level ? `${boldList([level])}.` : 'none, the scorecard does not apply to it.';
  return answered(`${words}: ${told}${cite(whole)}`);
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
    const shown = [yield* shownTexts(a, field, schema, offered), yield* shownTexts(b, field, schema, offered)];
    const told = shown.map(({ texts }) => (texts.length === 0 ? 'not set' : boldList(texts))).join(' and ');
    return answered(`${words}: ${told}.${cite(a, b, ...shown.flatMap(({ read }) => read))}`);
  }
  const mark = cite(a, b);
  const fields = a.blueprint === b.blueprint ? (schema.find(a.blueprint ?? '')?.fields ?? []) : [];
  const rows = fields.flatMap((each) => {
    const [left, right] = [fieldValue(a, each), fieldValue(b, each)].map((value) =>
      isUnset(value) ? '–' : valueText(value),
    );
    return left === right || each.kind === 'meta' ? [] : [`| ${each.title} | ${left} | ${right} |${mark}`];
  });
  const owners = [a, b].map(({ team }) => namesIn(team).join(', ') || 'none');
  const head = [
    `|  | ${entityWords(a, schema)} | ${entityWords(b, schema)} |`,
    '| --- | --- | --- |',
    `| Owner | ${owners.join(' | ')} |${mark}`,
  ];
  return answered(`${words}: where they differ${mark}\n\n${[...head, ...rows].join('\n')}`);
}

export function* describeEntity(entity: EntityInfo, schema: Schema, offered: OfferedTools): Plan {
  const whole = offered.has('get_entity') ? yield* readWhole(entity, offered) : entity;
  return answered(entityAnswer(whole, schema.find(entity.blueprint ?? '')));
}

function* readWhole(entity: EntityInfo, offered: OfferedTools): Plan<EntityInfo> {
  const args = { blueprint: entity.blueprint ?? '', identifier: entity.identifier };
  return readOne<EntityInfo>(yield* callTool('get_entity', args, offered), 'entity') ?? entity;
}

interface ShownTexts {
  readonly texts: string[];
  readonly read: readonly Referred[];
}

/** The values of a field for people: related entities by title, moments with their time. */
function* shownTexts(entity: EntityInfo, field: Field, _schema: Schema, offered: OfferedTools): Plan<ShownTexts> {
  const value = fieldValue(entity, field);
  if (isUnset(value)) return { texts: [], read: [entity] };
  if (field.target !== undefined) {
    const keys = namesIn(value);
    const titles = yield* readTitles(field.target, keys, offered);
    const shown = keys.map((key): Titled => titles.get(key) ?? { title: key });
    return { texts: shown.map(({ title }) => title), read: [entity, ...shown] };
  }
  if (isDate(field)) return { texts: [momentText(String(value))], read: [entity] };
  const texts = Array.isArray(value) ? value.map((each) => valueText(each)) : [valueText(value)];
  return { texts, read: [entity] };
}

function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
