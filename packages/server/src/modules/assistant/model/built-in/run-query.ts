import { type EntityInfo, readRef } from './catalog.ts';
import { cite, type Referred } from './cite.ts';
import { compileConditions, type Rule, readGroups, requireEntity, stepRules } from './compile-conditions.ts';
import { type Answer, answered, type OfferedTools, type Plan } from './plan-steps.ts';
import { namesIn, type Query } from './query.ts';
import { queryWords } from './query-words.ts';
import { describeEntity, runCompare, runField, runLevel, runOwner, runTeams } from './run-named.ts';
import { runTop } from './run-top.ts';
import type { Schema } from './schema.ts';
import { callTool, searchPage } from './search-page.ts';
import { readTitles, type Titled, teamTitles } from './titles.ts';
import { entityLines, factLines, groupLines, moreLine, typeAnswer } from './write-lines.ts';

const shownMax = 25;

/** Answers an understood question with the tools on offer. Every answer begins with the query in words. */
export function* runQuery(query: Query, schema: Schema, offered: OfferedTools): Plan {
  const words = queryWords(query, schema);
  const named = namesIn(query).map(({ entity }) => entity);
  switch (query.ask) {
    // whether there are any is answered by showing them
    case 'list':
    case 'exists':
      return yield* runList(query, words, schema, offered, named);
    case 'count': {
      const { total, ...read } = yield* countThings(query.of, yield* compileConditions(query.where, offered), offered);
      return answered(`${words}: **${total}**.${cite(read, ...named)}`);
    }
    case 'top':
      return yield* runTop(query, words, schema, offered);
    case 'group':
      return yield* runGroup(query, words, offered, named);
    case 'figure': {
      const rules = yield* compileConditions(query.where, offered);
      const args = { blueprint: query.of, ...queryOf(rules), func: query.func, property: query.field.key };
      const content = yield* callTool('get_figures', args, offered);
      const { value } = (content ?? {}) as { value?: number | null };
      const figure = value === null || value === undefined ? 'there is no value' : `**${roundFigure(value)}**`;
      return answered(`${words}: ${figure}.${cite(readRef(content), ...named)}`);
    }
    case 'owner':
      return yield* runOwner(query, words, offered);
    case 'teams':
      return yield* runTeams(query, words, offered);
    case 'field':
      return yield* runField(query, words, schema, offered);
    case 'level':
      return yield* runLevel(query, words, offered);
    case 'compare':
      return yield* runCompare(query, words, schema, offered);
    case 'get':
      return yield* describeEntity(requireEntity(query.name), schema, offered);
    case 'type':
      return answered(describeType(query.of, schema));
    case 'linked':
      return yield* runLinked(query, words, offered, named);
  }
}

function roundFigure(value: number): number {
  return Math.round(value * 100) / 100;
}

function queryOf(rules: readonly Rule[]): { query?: object } {
  return rules.length > 0 ? { query: { combinator: 'and', rules } } : {};
}

function* countThings(of: string, rules: readonly Rule[], offered: OfferedTools): Plan<Referred & { total: number }> {
  if (!offered.has('count_entities')) {
    return yield* searchPage({ blueprint: of, ...queryOf(rules), include: [], limit: 1 }, offered);
  }
  const content = yield* callTool('count_entities', { blueprint: of, ...queryOf(rules) }, offered);
  return { ...readRef(content), total: ((content ?? {}) as { count?: number }).count ?? 0 };
}

type ListQuery = Extract<Query, { of: string; where: unknown }> & { ask: 'list' | 'count' | 'exists' };

function* runList(
  { of, where }: ListQuery,
  words: string,
  schema: Schema,
  offered: OfferedTools,
  named: readonly (Referred | undefined)[],
): Plan {
  const rules = yield* compileConditions(where, offered);
  const fields = where.flatMap((each) => (each.kind === 'value' || each.kind === 'window' ? [each.field] : []));
  const include = [...new Set(fields.map(({ key }) => key))];
  const page = yield* searchPage({ blueprint: of, ...queryOf(rules), include, limit: shownMax }, offered);
  const type = schema.find(of);
  const shown = type?.fields.filter(({ key, kind }) => kind !== 'meta' && include.includes(key)) ?? [];
  const lines = entityLines(page.entities, (entity) => factLines(entity, shown));
  const more = moreLine(page.total, page.entities.length, page);
  return listed(words, page.total, [...lines, ...more], [page, ...named]);
}

function listed(
  words: string,
  total: number,
  lines: readonly string[],
  read: readonly (Referred | undefined)[],
): Answer {
  const mark = cite(...read);
  return answered(
    total === 0 ? `${words}: **0**, there are none.${mark}` : `${words}: **${total}**${mark}\n\n${lines.join('\n')}`,
  );
}

function* runGroup(
  { of, where, by }: Extract<Query, { ask: 'group' }>,
  words: string,
  offered: OfferedTools,
  named: readonly (Referred | undefined)[],
): Plan {
  const rules = yield* compileConditions(where, offered);
  const value =
    by.kind === 'owner'
      ? { relation: '$team' }
      : by.kind === 'level'
        ? { scorecard: by.scorecard }
        : by.field.kind === 'relation'
          ? { relation: by.field.key }
          : { property: by.field.key };
  const { groups, groupsLeftOut, total, ...read } = readGroups(
    yield* callTool('get_figures', { blueprint: of, ...queryOf(rules), by: value, limit: shownMax }, offered),
  );
  const keys = groups.flatMap((group) => (typeof group.value === 'string' ? [group.value] : []));
  const titles =
    by.kind === 'owner'
      ? yield* teamTitles(keys, offered)
      : by.kind === 'field' && by.field.target
        ? yield* readTitles(by.field.target, keys, offered)
        : new Map<string, Titled>();
  const lines = groupLines(groups, titles, read);
  if (groupsLeftOut > 0) lines.push(`- … and ${groupsLeftOut} more${cite(read)}`);
  return answered(`${words}: ${total} in all${cite(read, ...named)}\n\n${lines.join('\n')}`);
}

/** Things linked to an entity, of each type that may be. */
function* runLinked(
  { name, steps, isClosure }: Extract<Query, { ask: 'linked' }>,
  words: string,
  offered: OfferedTools,
  named: readonly (Referred | undefined)[],
): Plan {
  const pages: Referred[] = [];
  const found: EntityInfo[] = [];
  let total = 0;
  for (const { type, step } of steps) {
    const rules = stepRules(step, requireEntity(name), isClosure);
    const page = yield* searchPage({ blueprint: type, ...queryOf(rules), include: [], limit: shownMax }, offered);
    found.push(...page.entities);
    pages.push(page);
    total += page.total;
  }
  const shown = found.slice(0, shownMax);
  return listed(
    words,
    total,
    [...entityLines(shown), ...moreLine(total, shown.length, pages[0])],
    [...pages, ...named],
  );
}

function describeType(of: string, schema: Schema): string {
  const type = schema.find(of);
  return type ? typeAnswer(type) : of;
}
