import { displayTitle, type EntityInfo } from './catalog.ts';
import { cite } from './cite.ts';
import { compileConditions, countFor } from './compile-conditions.ts';
import { fieldValue } from './field-value.ts';
import { answered, CannotAnswer, type OfferedTools, type Plan } from './plan-steps.ts';
import type { Counted, Query } from './query.ts';
import { plain } from './query-words.ts';
import { type Field, isDate, type Schema } from './schema.ts';
import { searchPage } from './search-page.ts';
import { entityLines, momentText, valueText } from './write-lines.ts';

type TopQuery = Extract<Query, { ask: 'top' }>;

/** The most that is compared at once. */
const comparedMax = 200;
const shownMax = 25;

/** The first by a property or by how many belong to each; those that share the first place are all named. */
export function* runTop(query: TopQuery, words: string, schema: Schema, offered: OfferedTools): Plan {
  const { by } = query;
  return 'key' in by
    ? yield* topByField(query, by, words, offered)
    : yield* topByCount(query, by, words, schema, offered);
}

function* topByField(
  { of, where, order, limit, isMoment }: TopQuery,
  field: Field,
  words: string,
  offered: OfferedTools,
): Plan {
  const named = where.flatMap((each) => ('name' in each ? [each.name.entity] : []));
  const rules = [...(yield* compileConditions(where, offered)), { property: field.key, operator: 'isNotEmpty' }];
  const sort = [{ property: field.key, order }];
  const wanted = Math.min(comparedMax, limit === 1 ? shownMax + 1 : limit + 1);
  const args = { blueprint: of, query: { combinator: 'and', rules }, sort, include: [field.key], limit: wanted };
  const page = yield* searchPage(args, offered);
  const { entities } = page;
  const value = (entity: EntityInfo): unknown => fieldValue(entity, field);
  const [first] = entities;
  if (!first) return answered(`${words}: there are none.${cite(page)}`);
  const text = (entity: EntityInfo): string =>
    isDate(field) ? momentText(String(value(entity))) : valueText(value(entity));
  if (isMoment) {
    const which = `${plain(displayTitle(first))} (\`${first.identifier}\`)`;
    return answered(`${words}: **${momentText(String(value(first)))}**, ${which}.${cite(first, page, ...named)}`);
  }
  const best = limit === 1 ? entities.filter((entity) => value(entity) === value(first)) : entities.slice(0, limit);
  const last = best.at(-1);
  const next = entities[best.length];
  const isTied = limit > 1 && last && next && value(last) === value(next);
  const lines = entityLines(best.slice(0, shownMax), (entity) => [`${field.title}: ${text(entity)}`]);
  return answered(
    [
      `${words}:${cite(page, ...named, ...best)}`,
      lines.join('\n'),
      ...(isTied ? ['Others have the value of the last one too.'] : []),
    ].join('\n\n'),
  );
}

function* topByCount(
  { of, where, order, limit }: TopQuery,
  counted: Counted,
  words: string,
  schema: Schema,
  offered: OfferedTools,
): Plan {
  const { byIdentifier: counts, isCut, ...read } = yield* countFor(counted, offered);
  const rules = yield* compileConditions(where, offered);
  const search = (more: readonly object[], size: number) =>
    searchPage(
      { blueprint: of, query: { combinator: 'and', rules: [...rules, ...more] }, include: [], limit: size },
      offered,
    );
  const all = yield* search([], comparedMax);
  let compared = all.entities;
  if (all.total > all.entities.length) {
    const named = { property: '$identifier', operator: order === 'desc' ? 'in' : 'notIn', value: [...counts.keys()] };
    if (order === 'asc' && isCut) throw new CannotAnswer('There are too many to compare them here.');
    compared = (yield* search([named], comparedMax)).entities;
    // those without any come first, and if there are enough of them, nothing else is among the first
    if (compared.length < limit || (order === 'asc' && compared.length === 0))
      throw new CannotAnswer('There are too many to compare them here.');
  }
  const count = (entity: EntityInfo): number => counts.get(entity.identifier) ?? counts.get(entity.title ?? '') ?? 0;
  const sorted = [...compared].sort((a, b) => (order === 'desc' ? count(b) - count(a) : count(a) - count(b)));
  const [first] = sorted;
  const many = schema.find(counted.type)?.plural ?? counted.type;
  if (!first || (order === 'desc' && count(first) === 0)) return answered(`${words}: none has any.${cite(read)}`);
  const best = limit === 1 ? sorted.filter((entity) => count(entity) === count(first)) : sorted.slice(0, limit);
  const [last, next] = [best.at(-1), sorted[best.length]];
  const isTied = limit > 1 && last && next && count(last) === count(next);
  const lines = entityLines(best.slice(0, shownMax), (entity) => [`${many}: ${count(entity)}`], read);
  return answered(
    [`${words}:${cite(read)}`, lines.join('\n'), ...(isTied ? ['Others have as many as the last one.'] : [])].join(
      '\n\n',
    ),
  );
}
