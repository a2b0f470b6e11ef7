import { type BlueprintInfo, displayTitle, type EntityInfo, readOne, readPage } from './catalog.ts';
import { findFilters } from './find-filters.ts';
import { lookUp, theOne } from './look-up.ts';
import { matchBlueprint } from './match-blueprint.ts';
import { planList } from './plan-list.ts';
import { allBlueprints, failure, type OfferedTools, type Plan, unknownAnswer } from './plan-steps.ts';
import type { Question } from './question.ts';
import { splitWords, type Word } from './words.ts';
import { blueprintAnswer, entityAnswer, listAnswer, ownerAnswer } from './write-answer.ts';

export function* planOwner(subject: string, question: Question, offered: OfferedTools): Plan {
  const found = yield* lookUp(subject, offered);
  if (typeof found === 'string') return found;
  if (found.entities.length > 0) return ownerAnswer(found.entities);
  const blueprints = yield* allBlueprints(offered);
  if (typeof blueprints === 'string') return blueprints;
  if (matchBlueprint(splitWords(subject), blueprints)) return yield* planList(question, offered, blueprints);
  return unknownAnswer(question, blueprints);
}

/** Determines from the catalog whether a name means a type, a list or one entity. */
export function* planDescribe(subject: string, question: Question, offered: OfferedTools): Plan {
  const blueprints = yield* allBlueprints(offered);
  if (typeof blueprints === 'string') return blueprints;
  const words = splitWords(subject).filter(({ lower }) => lower !== 'all' && lower !== 'every');
  const match = matchBlueprint(words, blueprints);
  let name = subject;
  if (match) {
    const { blueprint, span } = match;
    const others = words.filter((_, index) => index < span.start || index >= span.end);
    if (others.every(({ lower }) => /^(blueprint|type|kind|a|an|the)$/.test(lower))) {
      const isPlural = words[span.end - 1]!.lower !== words[span.end - 1]!.stem && !/blueprint/.test(subject);
      if (isPlural) return yield* planList(question, offered, blueprints);
      return yield* describeBlueprint(blueprint, offered);
    }
    if (isListOf(words, blueprint, span.start, span.end)) return yield* planList(question, offered, blueprints);
    name = others.map(({ raw }) => raw).join(' ');
  }
  // the whole subject first, because a type's name may be part of an entity's name
  const wholes = name === subject ? [subject] : [subject, name];
  for (const each of wholes) {
    const found = yield* lookUp(each, offered);
    if (typeof found === 'string') return found;
    const one = theOne(found);
    if (one) return yield* describeEntity(one, blueprints, offered);
    if (found.entities.length > 0) {
      return listAnswer({
        page: { total: found.entities.length, entities: found.entities },
        blueprint: undefined,
        phrases: [`like “${each}”`],
        columns: [],
        showsOwners: true,
        notes: ['Ask for one of them by its identifier to see more.'],
      });
    }
  }
  return match ? yield* planList(question, offered, blueprints) : unknownAnswer(question, blueprints);
}

/** True if all words beside a type are conditions on it. */
function isListOf(words: readonly Word[], blueprint: BlueprintInfo, start: number, end: number): boolean {
  const taken = new Set<number>();
  for (let index = start; index < end; index++) taken.add(index);
  const { filters, used } = findFilters(words, blueprint, taken);
  return filters.length > 0 && used.size >= words.length - 2;
}

function* describeBlueprint(blueprint: BlueprintInfo, offered: OfferedTools): Plan {
  if (!offered.has('get_blueprint')) return blueprintAnswer(blueprint);
  const reply = yield { name: 'get_blueprint', args: { identifier: blueprint.identifier } };
  if (reply.isError) return blueprintAnswer(blueprint);
  const full = readOne<BlueprintInfo>(reply.content, 'blueprint');
  // accepts both shapes of properties; only those of the list matter
  return blueprintAnswer({ ...blueprint, ...(full?.description ? { description: full.description } : {}) });
}

function* describeEntity(entity: EntityInfo, blueprints: readonly BlueprintInfo[], offered: OfferedTools): Plan {
  const blueprint = blueprints.find(({ identifier }) => identifier === entity.blueprint);
  if (!offered.has('get_entity') || !entity.blueprint) return entityAnswer(entity, blueprint);
  const args = { blueprint: entity.blueprint, identifier: entity.identifier };
  const reply = yield { name: 'get_entity', args };
  const full = reply.isError ? undefined : readOne<EntityInfo>(reply.content, 'entity');
  return entityAnswer(full ?? entity, blueprint);
}

/** Lists everything that depends on an entity: all entities downstream of it. */
export function* planDependents(subject: string, question: Question, offered: OfferedTools): Plan {
  const found = yield* lookUp(subject, offered);
  if (typeof found === 'string') return found;
  const [target] = found.entities;
  if (!target) return unknownAnswer(question, []);
  const rule = {
    operator: 'relatedTo',
    blueprint: target.blueprint ?? '',
    value: target.identifier,
    direction: 'downstream',
  };
  const reply = yield {
    name: 'search_entities',
    args: { query: { combinator: 'and', rules: [rule] }, limit: 50 },
  };
  if (reply.isError) return failure('search_entities', reply);
  return listAnswer({
    page: readPage(reply.content),
    blueprint: undefined,
    phrases: [`depending on ${displayTitle(target)}`],
    columns: [],
    showsOwners: true,
    notes: [],
  });
}
