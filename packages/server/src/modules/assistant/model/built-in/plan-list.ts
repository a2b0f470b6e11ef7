import {
  type BlueprintInfo,
  displayTitle,
  type EntityInfo,
  isNamed,
  namesIn,
  readPage,
  type SearchRule,
} from './catalog.ts';
import { fetchPage } from './fetch-page.ts';
import { type Filter, findFilters } from './find-filters.ts';
import { lookUp, theOne } from './look-up.ts';
import { type BlueprintMatch, matchBlueprint } from './match-blueprint.ts';
import { allBlueprints, failure, missing, type OfferedTools, type Plan, unknownAnswer } from './plan-steps.ts';
import type { Question } from './question.ts';
import { splitWords, type Word } from './words.ts';
import { countAnswer, entityAnswer, listAnswer, unownedPhrase } from './write-answer.ts';

const fillers =
  /^(a|an|and|are|all|any|at|be|by|can|catalog|count|currently|did|do|does|every|find|for|from|get|give|had|has|have|having|here|how|i|in|is|it|its|know|list|many|me|more|much|my|named|need|needs|now|number|of|on|or|our|out|owned|please|run|running|see|show|some|tell|than|that|the|their|them|there|these|they|this|those|to|under|used|uses|using|was|we|were|what|what's|when|where|which|who|whose|with|would|written|you|exist|exists|happened|happen|belong|belongs|part|right|still|ones|things|entities|entity|not|affecting|affect|affected|impacting|related|about|opened|created)$/;
const ownerWords =
  /^(no|without|missing|lack|lacks|lacking|owner|owners|owning|team|teams|ownership|unowned|orphan|orphaned|orphans|ownerless|owned|own|owns|nobody|maintain|maintained|doesn't|don't|isn't|aren't)$/;

export function* planList(question: Question, offered: OfferedTools, known?: readonly BlueprintInfo[]): Plan {
  if (!offered.has('list_entities') && !offered.has('search_entities'))
    return missing('list_entities', 'search_entities');
  const blueprints = known ?? (yield* allBlueprints(offered));
  if (typeof blueprints === 'string') return blueprints;
  const words = splitWords(question.text);
  const match = matchType(question, words, blueprints, offered);
  if (!match && !question.isUnowned && !question.ownedBy)
    return yield* planByName(question, words, blueprints, offered);

  const taken = new Set<number>();
  if (match) for (let index = match.span.start; index < match.span.end; index++) taken.add(index);
  const owners = yield* ownerFilters(question, words, taken, offered);
  if (typeof owners === 'string') return owners;
  const { filters, used } = match ? findFilters(words, match.blueprint, taken) : { filters: [], used: taken };
  const all: Filter[] = [...owners, ...filters];
  const notes: string[] = [];
  let related: EntityInfo | undefined;
  const leftover = findLeftover(words, used);
  if (leftover && match) {
    related = yield* findRelated(leftover, blueprints, offered);
    if (!related) notes.push(`I did not understand “${leftover}” and left it out.`);
  }
  const rules: SearchRule[] = all.map(({ rule }) => rule);
  const phrases = all.map(({ phrase }) => phrase);
  if (related) phrases.push(`related to ${displayTitle(related)}`);
  const request = { blueprint: match?.blueprint, rules, related, limit: 50 };

  if (question.intent.kind === 'count' && match && !related && offered.has('count_entities')) {
    const query = rules.length > 0 ? { query: { combinator: 'and', rules } } : {};
    const reply = yield { name: 'count_entities', args: { blueprint: match.blueprint.identifier, ...query } };
    if (reply.isError) return failure('count_entities', reply);
    const { count } = (reply.content ?? {}) as { count?: number };
    return [countAnswer(count ?? 0, match.blueprint, phrases), ...notes].join('\n\n');
  }
  const fetched = yield* fetchPage(request, offered);
  if (typeof fetched === 'string') return fetched;
  notes.push(...fetched.notes);
  if (question.intent.kind === 'count')
    return [countAnswer(fetched.page.total, match?.blueprint, phrases), ...notes].join('\n\n');
  return listAnswer({
    page: fetched.page,
    blueprint: match?.blueprint,
    phrases,
    columns: listColumns(match?.blueprint, filters),
    showsOwners: !question.isUnowned && fetched.page.entities.some(({ team }) => namesIn(team).length > 0),
    notes,
  });
}

/** Without a type, the remaining words may be a name. */
function* planByName(
  question: Question,
  words: readonly Word[],
  blueprints: readonly BlueprintInfo[],
  offered: OfferedTools,
): Plan {
  const name = findLeftover(words, new Set());
  if (!name || !offered.has('search_entities')) return unknownAnswer(question, blueprints);
  const found = yield* lookUp(name, offered);
  if (typeof found === 'string') return found;
  if (found.entities.length === 0) return unknownAnswer(question, blueprints);
  const one = theOne(found);
  const blueprint = blueprints.find(({ identifier }) => identifier === one?.blueprint);
  if (one) return entityAnswer(one, blueprint);
  return listAnswer({
    page: { total: found.entities.length, entities: found.entities },
    blueprint: undefined,
    phrases: [`like “${found.name}”`],
    columns: [],
    showsOwners: true,
    notes: [],
  });
}

/** The requested type. If types cannot be listed, the first significant word. */
function matchType(
  question: Question,
  words: readonly Word[],
  blueprints: readonly BlueprintInfo[],
  offered: OfferedTools,
): BlueprintMatch | undefined {
  const match = matchBlueprint(words, blueprints);
  // "what does the payments team own" does not ask for teams
  if (match?.blueprint.identifier === '_team' && question.ownedBy) return undefined;
  if (match || offered.has('list_blueprints')) return match;
  const start = words.findIndex(({ lower }) => !isFiller(lower));
  return start < 0 ? undefined : { blueprint: { identifier: words[start]!.stem }, span: { start, end: start + 1 } };
}

/** An entity named in a condition ("in the routing domain"), possibly with its type. */
function* findRelated(
  text: string,
  blueprints: readonly BlueprintInfo[],
  offered: OfferedTools,
): Plan<EntityInfo | undefined> {
  if (!offered.has('search_entities')) return undefined;
  const words = splitWords(text);
  const type = matchBlueprint(words, blueprints);
  const isBeside = type !== undefined && type.span.end - type.span.start < words.length;
  const name = words.flatMap(({ raw }, index) =>
    isBeside && index >= type.span.start && index < type.span.end ? [] : [raw],
  );
  const found = yield* lookUp(name.join(' '), offered, isBeside ? type.blueprint.identifier : undefined);
  return typeof found === 'string' ? undefined : theOne(found);
}

/** Conditions on ownership. `$team` may hold titles or identifiers, so every spelling of a team is included. */
function* ownerFilters(
  question: Question,
  words: readonly Word[],
  taken: Set<number>,
  offered: OfferedTools,
): Plan<Filter[] | string> {
  const { isUnowned, ownedBy } = question;
  if (!isUnowned && !ownedBy) return [];
  for (const [index, { lower }] of words.entries()) if (ownerWords.test(lower)) taken.add(index);
  if (isUnowned) return [{ rule: { property: '$team', operator: 'isEmpty' }, phrase: unownedPhrase }];
  if (ownedBy === 'caller') {
    if (!offered.has('describe_user_details')) return missing('describe_user_details');
    const reply = yield { name: 'describe_user_details', args: {} };
    if (reply.isError) return failure('describe_user_details', reply);
    const teams = (reply.content as { teams?: unknown } | null)?.teams;
    const names = spellings(Array.isArray(teams) ? teams : []);
    if (names.length === 0) return 'You belong to no team, so nothing is owned by your teams.';
    return [ownedFilter(names, 'owned by your teams')];
  }
  const team = ownedBy!.team;
  for (const part of splitWords(team)) {
    const index = words.findIndex((word, at) => word.lower === part.lower && !taken.has(at));
    if (index >= 0) taken.add(index);
  }
  const found = offered.has('search_entities') ? yield* lookUpTeam(team) : [];
  const named = found.find((entity) => isNamed(entity, team)) ?? (found.length === 1 ? found[0] : undefined);
  const names = [...new Set([team, ...(named ? spellings([named]) : [])])];
  return [ownedFilter(names, `owned by ${named ? displayTitle(named) : team}`)];
}

function* lookUpTeam(team: string): Plan<readonly EntityInfo[]> {
  const args = { blueprint: '_team', query: { combinator: 'and', rules: [] }, text: team, limit: 10 };
  const reply = yield { name: 'search_entities', args };
  return reply.isError ? [] : readPage(reply.content).entities;
}

function ownedFilter(names: readonly string[], phrase: string): Filter {
  return { rule: { property: '$team', operator: 'containsAny', value: names }, phrase };
}

function spellings(teams: readonly unknown[]): string[] {
  const all = teams.flatMap((team) => {
    if (typeof team === 'string') return [team];
    const { identifier, title, name } = (team ?? {}) as Record<string, unknown>;
    return [identifier, title, name].filter((text): text is string => typeof text === 'string');
  });
  return [...new Set(all)];
}

function isFiller(word: string): boolean {
  return fillers.test(word) || ownerWords.test(word);
}

/** The longest sequence of unused words: possibly a name. */
function findLeftover(words: readonly Word[], used: ReadonlySet<number>): string | undefined {
  const runs: string[][] = [[]];
  for (const [index, word] of words.entries()) {
    if (used.has(index) || isFiller(word.lower)) runs.push([]);
    else runs.at(-1)!.push(word.raw);
  }
  const longest = runs.sort((a, b) => b.length - a.length)[0]!;
  return longest.length > 0 ? longest.join(' ') : undefined;
}

/** Columns for the properties in filters, else the first properties with few known values. */
function listColumns(blueprint: BlueprintInfo | undefined, filters: readonly Filter[]): string[] {
  const asked = filters.flatMap(({ rule }) => (rule.property && !rule.property.startsWith('$') ? [rule.property] : []));
  const telling = Object.entries(blueprint?.properties ?? {})
    .filter(([, property]) => property.enum)
    .map(([key]) => key);
  return [...new Set([...asked, ...telling])].slice(0, Math.max(2, asked.length));
}
