import type { Reader } from '../../../platform/db/database.ts';
import { createJsonTexts } from '../../../platform/db/json.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import type { ResolvedWrite, WriteOutcome } from '../../access/index.ts';
import { holdBlueprint, type StoredBlueprint } from '../../blueprints/index.ts';
import { isUnchanged, removeEntities, storeEntities } from '../../entities/index.ts';
import { lockEntitiesByKey, type StoredEntity } from '../../entity-rows/index.ts';
import {
  addSubjects,
  findSubjects,
  removeSubjects,
  ruleDraft,
  type Subject,
  scorecardDraft,
} from '../../scorecard-changes/index.ts';
import { findScorecards, resultsRequest, type StoredScorecard } from '../../scorecard-rules/index.ts';
import { listTaken, markEvaluated } from './rule-results.store.ts';

/**
 * Updates the entities of a blueprint's scorecards and rules to match them. Does nothing if the organization does not
 * have scorecards as data. Call it after all other row locks are taken.
 */
export async function reflectScorecards(work: Work, blueprint: StoredBlueprint): Promise<void> {
  const { tx, actor } = work;
  const { orgId } = actor;
  const scorecards = await findScorecards(tx, orgId, blueprint.key);
  const subjects = await findSubjects(tx, orgId, [blueprint.key]);
  if (scorecards.length === 0 && subjects.length === 0) return;
  const cards = await holdBlueprint(tx, orgId, '_scorecard');
  const rules = await holdBlueprint(tx, orgId, '_rule');
  if (!cards || !rules) return;
  const wanted = new Set(scorecards.flatMap(listSubjectKeys));
  const gone = subjects.filter((each) => !wanted.has(subjectKey(each))).map(({ entityKey }) => entityKey);
  const held = new Map(
    (await lockEntitiesByKey(tx, orgId, subjects.map(subjectEntityKey))).map((each) => [each.key, each]),
  );
  const known = new Map(
    subjects.flatMap((each) => {
      const entity = held.get(each.entityKey);
      return entity && wanted.has(subjectKey(each)) ? [[subjectKey(each), entity] as const] : [];
    }),
  );
  await removeSubjects(tx, orgId, gone);
  await removeEntities(
    work,
    gone.flatMap((key) => held.get(key) ?? []),
  );
  const made = await reflectCards(work, cards, blueprint, scorecards, known);
  await reflectRules(work, rules, blueprint, scorecards, known, made);
}

async function reflectCards(
  work: Work,
  cards: StoredBlueprint,
  blueprint: StoredBlueprint,
  scorecards: readonly StoredScorecard[],
  known: ReadonlyMap<string, StoredEntity>,
): Promise<ReadonlyMap<string, StoredEntity>> {
  const { tx, actor } = work;
  const fresh = scorecards.filter((each) => !known.has(subjectKey(each)));
  const free = await freeNames(
    tx,
    cards,
    fresh.map(({ identifier }) => [identifier, `${blueprint.identifier}_${identifier}`]),
  );
  const items = scorecards.map((scorecard, index): ResolvedWrite => {
    const before = known.get(subjectKey(scorecard));
    const identifier = before?.identifier ?? (free[fresh.indexOf(scorecard)] as string);
    const draft = scorecardDraft(cards, blueprint.identifier, identifier, scorecard.definition, before);
    return { index, draft, before, warnings: [], links: [], ownTeamRefs: undefined };
  });
  const written = await persistReflected(work, cards, items);
  const added = fresh.map((each): Subject => {
    const entity = written[scorecards.indexOf(each)] as StoredEntity;
    return { entityKey: entity.key, blueprintKey: blueprint.key, scorecard: each.identifier, rule: '' };
  });
  await addSubjects(tx, actor.orgId, added);
  return new Map(scorecards.map((each, index) => [each.identifier, written[index] as StoredEntity]));
}

async function reflectRules(
  work: Work,
  rules: StoredBlueprint,
  blueprint: StoredBlueprint,
  scorecards: readonly StoredScorecard[],
  known: ReadonlyMap<string, StoredEntity>,
  cards: ReadonlyMap<string, StoredEntity>,
): Promise<void> {
  const { tx, actor } = work;
  const all = scorecards.flatMap(({ identifier, definition }) =>
    definition.rules.map((rule) => ({ scorecard: identifier, rule, card: cards.get(identifier) as StoredEntity })),
  );
  const before = (each: (typeof all)[number]) =>
    known.get(subjectKey({ scorecard: each.scorecard, rule: each.rule.identifier }));
  const fresh = all.filter((each) => !before(each));
  const free = await freeNames(
    tx,
    rules,
    fresh.map(({ rule, card }) => [rule.identifier, `${card.identifier}_${rule.identifier}`]),
  );
  const items = all.map((each, index): ResolvedWrite => {
    const { rule, card } = each;
    const entity = before(each);
    const identifier = entity?.identifier ?? (free[fresh.indexOf(each)] as string);
    const draft = ruleDraft(identifier, card.identifier, rule, entity);
    const target = {
      blueprint: '_scorecard',
      blueprintKey: card.blueprintKey,
      identifier: card.identifier,
      key: card.key,
    };
    const links = [{ relation: 'scorecard', position: 0, target }];
    return { index, draft, before: entity, warnings: [], links, ownTeamRefs: undefined };
  });
  const written = await persistReflected(work, rules, items);
  const added = fresh.map((each): Subject => {
    const { key } = written[all.indexOf(each)] as StoredEntity;
    return { entityKey: key, blueprintKey: blueprint.key, scorecard: each.scorecard, rule: each.rule.identifier };
  });
  await addSubjects(tx, actor.orgId, added);
  // results are titled by their rules
  if (items.some(({ draft, before: was }) => was && was.title !== draft.title)) {
    if ((await markEvaluated(tx, actor.orgId, blueprint.key)) > 0) await work.enqueue(resultsRequest, {});
  }
}

/** Writes what differs and returns all of them in order. */
async function persistReflected(
  work: Work,
  blueprint: StoredBlueprint,
  items: readonly ResolvedWrite[],
): Promise<readonly StoredEntity[]> {
  const differing = items.filter(({ before, draft }) => !before || !isUnchanged(before, { ...before, ...draft }));
  const outcomes =
    differing.length > 0
      ? await storeEntities(work, blueprint, differing, createJsonTexts())
      : new Map<number, WriteOutcome>();
  return items.map(({ index, before }) => {
    const outcome = outcomes.get(index);
    if (!outcome && before) return before;
    if (!outcome || 'error' in outcome) throw new Error(`An entity of ${blueprint.identifier} was not written`);
    return outcome.entity;
  });
}

/** The first free name of each list, numbered if none is free. */
async function freeNames(
  reader: Reader,
  { orgId, key }: StoredBlueprint,
  wanted: readonly (readonly [string, string])[],
): Promise<string[]> {
  if (wanted.length === 0) return [];
  const taken = new Set<string>();
  const look = async (names: readonly string[]) => {
    for (const name of await listTaken(reader, orgId, key, names)) taken.add(name);
  };
  await look(wanted.flat());
  const found: string[] = [];
  for (const names of wanted) {
    let name = names.find((each) => !taken.has(each));
    for (let number = 2; name === undefined; number += 1) {
      const next = `${names[1]}_${number}`;
      if (!taken.has(next)) await look([next]);
      if (!taken.has(next)) name = next;
    }
    taken.add(name);
    found.push(name);
  }
  return found;
}

function listSubjectKeys({ identifier, definition }: StoredScorecard): string[] {
  return [
    subjectKey({ scorecard: identifier, rule: '' }),
    ...definition.rules.map((rule) => subjectKey({ scorecard: identifier, rule: rule.identifier })),
  ];
}

function subjectKey(subject: Pick<Subject, 'scorecard' | 'rule'> | StoredScorecard): string {
  return 'scorecard' in subject ? `${subject.scorecard}\u0000${subject.rule}` : `${subject.identifier}\u0000`;
}

function subjectEntityKey({ entityKey }: Subject): number {
  return entityKey;
}
