import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../../platform/actor.ts';
import { groupBy } from '../../../platform/collections.ts';
import type { Database, Reader } from '../../../platform/db/database.ts';
import type { UnitOfWork } from '../../../platform/unit-of-work.ts';
import type { Draft } from '../../access/index.ts';
import { listBlueprintRows, lockBlueprint, type StoredBlueprint } from '../../blueprints/index.ts';
import type { Difference } from '../../derived/index.ts';
import { findEntitiesByKey, type StoredEntity } from '../../entity-rows/index.ts';
import { findSubjects, ruleDraft, type Subject, scorecardDraft } from '../../scorecard-changes/index.ts';
import { findScorecards, listScorecardRows } from '../../scorecard-rules/index.ts';

export interface ReflectionsReport {
  readonly checked: number;
  readonly differences: readonly Difference[];
}

interface Mirrors {
  readonly cards: StoredBlueprint;
  readonly rules: StoredBlueprint;
}

/**
 * Rebuilds the entities of scorecards and rules without writing them, and reports differing, missing and orphaned
 * ones. A suspect is compared again under the blueprint's lock.
 */
export async function checkReflections(
  { database, unitOfWork }: { readonly database: Database; readonly unitOfWork: UnitOfWork },
  actor: Actor,
): Promise<ReflectionsReport> {
  const { orgId } = actor;
  const all = await listBlueprintRows(database, orgId);
  const cards = all.find(({ identifier }) => identifier === '_scorecard');
  const rules = all.find(({ identifier }) => identifier === '_rule');
  if (!cards || !rules) return { checked: 0, differences: [] };
  const scored = new Set((await listScorecardRows(database, orgId)).map(({ blueprintKey }) => blueprintKey));
  const differences: Difference[] = [];
  let checked = 0;
  for (const blueprint of all) {
    const subjects = await findSubjects(database, orgId, [blueprint.key]);
    if (subjects.length === 0 && !scored.has(blueprint.key)) continue;
    checked += subjects.length;
    if ((await compare(database, { cards, rules }, blueprint)).length === 0) continue;
    const found = await unitOfWork(actor, async ({ tx }) => {
      const held = await lockBlueprint(tx, orgId, blueprint.identifier);
      return held ? compare(tx, { cards, rules }, held) : [];
    });
    differences.push(...found);
  }
  return { checked, differences };
}

async function compare(reader: Reader, { cards, rules }: Mirrors, blueprint: StoredBlueprint): Promise<Difference[]> {
  const { orgId } = blueprint;
  const scorecards = await findScorecards(reader, orgId, blueprint.key);
  const subjects = groupBy(await findSubjects(reader, orgId, [blueprint.key]), ({ scorecard }) => scorecard);
  const keys = [...subjects.values()].flat().map(({ entityKey }) => entityKey);
  const stored = new Map((await findEntitiesByKey(reader, orgId, keys)).map((each) => [each.key, each]));
  const differences: Difference[] = [];
  const report = (of: StoredBlueprint, entity: string, property: string, was: unknown, computed: unknown): void => {
    differences.push({ blueprint: of.identifier, entity, property, stored: was, computed });
  };
  const look = (
    of: StoredBlueprint,
    name: string,
    subject: Subject | undefined,
    draftOf: (before: StoredEntity) => Draft,
  ): StoredEntity | undefined => {
    const before = subject && stored.get(subject.entityKey);
    if (!before || before.blueprintKey !== of.key) {
      report(of, name, 'entity', null, name);
      return undefined;
    }
    const draft = draftOf(before);
    for (const part of ['title', 'properties', 'relations'] as const) {
      if (!isDeepStrictEqual(before[part], draft[part])) report(of, before.identifier, part, before[part], draft[part]);
    }
    return before;
  };
  for (const { identifier, definition } of scorecards) {
    const left = new Map((subjects.get(identifier) ?? []).map((each) => [each.rule, each]));
    subjects.delete(identifier);
    const card = look(cards, identifier, left.get(''), (before) =>
      scorecardDraft(cards, blueprint.identifier, before.identifier, definition, before),
    );
    left.delete('');
    for (const rule of definition.rules) {
      if (card) {
        look(rules, rule.identifier, left.get(rule.identifier), (before) =>
          ruleDraft(before.identifier, card.identifier, rule, before),
        );
      }
      left.delete(rule.identifier);
    }
    subjects.set(identifier, [...left.values()]);
  }
  for (const { entityKey, rule } of [...subjects.values()].flat()) {
    const name = stored.get(entityKey)?.identifier ?? String(entityKey);
    report(rule === '' ? cards : rules, name, 'entity', name, null);
  }
  return differences;
}
