import type { Issue } from '@portolan/contract/errors';
import { type ScorecardBody, scorecardBody } from '@portolan/contract/scorecards';
import { AppError, invalidRequest, notFound } from '../../platform/errors.ts';
import { toIssues } from '../../platform/http/issues.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import type { Draft, ResolvedWrite, WriteOutcome } from '../access/index.ts';
import {
  addResultTarget,
  type EntityListener,
  isScorecardData,
  listBlueprintRows,
  lockBlueprint,
  type StoredBlueprint,
} from '../blueprints/index.ts';
import { can } from '../rights/index.ts';
import { findScorecards, type ScorecardDefinition, type StoredScorecard } from '../scorecard-rules/index.ts';
import { assertReadableValues } from './assert-readable-values.ts';
import { checkScorecard } from './check-scorecard.ts';
import { reevaluate } from './reevaluate.ts';
import { addScorecard, changeScorecard, scorecardTaken } from './scorecard-changes.ts';
import { addSubjects, findSubjectsByEntity, type Subject } from './scorecard-entities.store.ts';
import { bodyOfScorecard, toRule } from './scorecard-values.ts';

/** What writes of entities of `_scorecard` and `_rule` change of scorecards. */
interface ScorecardWrites {
  /** The items that may be written. */
  readonly items: readonly ResolvedWrite[];
  /** Changes the scorecards, once the entities are stored. */
  readonly follow: (stored: ReadonlyMap<number, WriteOutcome>) => Promise<void>;
}

/** A scorecard as it will be after the items judged so far. */
interface PlannedScorecard {
  readonly blueprint: StoredBlueprint;
  readonly identifier: string;
  readonly before: StoredScorecard | undefined;
  definition: ScorecardDefinition;
}

/**
 * Judges entities of scorecards and rules that are about to be written as the scorecards they will be, in the order of
 * the items; those that are refused go to `failed`. Entities of other blueprints are let through without a look.
 */
export async function checkScorecardWrites(
  { listener }: { readonly listener: Pick<EntityListener, 'adapt'> },
  work: Work,
  data: StoredBlueprint,
  linked: readonly ResolvedWrite[],
  failed: Map<number, AppError>,
): Promise<ScorecardWrites> {
  if (!isScorecardData(data.identifier) || data.identifier === '_rule_result') {
    return { items: linked, follow: async () => {} };
  }
  const plan = createPlan(listener, work);
  const judge = data.identifier === '_scorecard' ? plan.judgeCard : plan.judgeRule;
  const items: ResolvedWrite[] = [];
  const subjects = new Map<number, Omit<Subject, 'entityKey'>>();
  for (const item of linked) {
    try {
      const subject = await judge(item);
      if (!item.before) subjects.set(item.index, subject);
      items.push(item);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failed.set(item.index, error);
    }
  }
  return {
    items,
    follow: async (stored) => {
      const made = [...subjects].flatMap(([index, subject]) => {
        const outcome = stored.get(index);
        return outcome && !('error' in outcome) ? [{ ...subject, entityKey: outcome.entity.key }] : [];
      });
      await addSubjects(work.tx, work.actor.orgId, made);
      await plan.store();
    },
  };
}

function createPlan(listener: Pick<EntityListener, 'adapt'>, work: Work) {
  const { tx, actor } = work;
  const { orgId } = actor;
  const blueprints = new Map<string, StoredBlueprint>();
  const planned = new Map<string, PlannedScorecard>();

  const lock = async (identifier: string): Promise<StoredBlueprint> => {
    const known = blueprints.get(identifier);
    if (known) return known;
    const blueprint = await lockBlueprint(tx, orgId, identifier);
    if (!blueprint || !can(actor, 'read', blueprint)) throw notFound('Blueprint', identifier);
    blueprints.set(identifier, blueprint);
    for (const stored of await findScorecards(tx, orgId, blueprint.key)) {
      const { definition } = stored;
      planned.set(scorecardKey(blueprint, stored.identifier), {
        blueprint,
        identifier: stored.identifier,
        before: stored,
        definition,
      });
    }
    return blueprint;
  };

  const subjectOf = async (key: number) => {
    const [subject] = await findSubjectsByEntity(tx, orgId, [key]);
    if (!subject) throw new AppError('not_found', 'The scorecard was deleted meanwhile');
    const blueprint = (await listBlueprintRows(tx, orgId)).find((each) => each.key === subject.blueprintKey);
    return { ...subject, blueprint: await lock(blueprint?.identifier ?? '') };
  };

  const check = async (
    blueprint: StoredBlueprint,
    body: Record<keyof ScorecardBody, unknown>,
    draft: Draft,
    at: (path: string) => string,
  ) => {
    const { data, error } = scorecardBody.safeParse(body);
    if (error) throw refused(draft, toIssues(error, body), at);
    try {
      checkScorecard(blueprint, data);
    } catch (refusal) {
      if (!(refusal instanceof AppError) || !Array.isArray(refusal.details)) throw refusal;
      throw refused(draft, refusal.details as Issue[], at);
    }
    await assertReadableValues(work, blueprint, data);
    const { identifier: _, ...definition } = data;
    return definition;
  };

  return {
    judgeCard: async ({ draft, before }: ResolvedWrite): Promise<Omit<Subject, 'entityKey'>> => {
      const subject = before && (await subjectOf(before.key));
      const blueprint = subject?.blueprint ?? (await lock(String(draft.properties['blueprint'])));
      const identifier = subject?.scorecard ?? draft.identifier;
      const name = scorecardKey(blueprint, identifier);
      const known = planned.get(name);
      if (!before && known) throw scorecardTaken(blueprint, identifier);
      const body = { ...bodyOfScorecard(draft, known?.definition), identifier };
      const definition = await check(blueprint, body, draft, (path) => pathOfCard(path));
      planned.set(name, { blueprint, identifier, before: known?.before, definition });
      return { blueprintKey: blueprint.key, scorecard: identifier, rule: '' };
    },
    judgeRule: async ({ draft, before, links }: ResolvedWrite): Promise<Omit<Subject, 'entityKey'>> => {
      const link = links.find(({ relation }) => relation === 'scorecard');
      const key = before?.key ?? (link && 'key' in link.target ? link.target.key : 0);
      const subject = await subjectOf(key);
      const known = planned.get(scorecardKey(subject.blueprint, subject.scorecard));
      if (!known) throw new AppError('not_found', 'The scorecard was deleted meanwhile');
      const identifier = before ? subject.rule : draft.identifier;
      const rule = toRule(identifier, draft);
      const position = known.definition.rules.findIndex((each) => each.identifier === identifier);
      if (!before && position >= 0) {
        throw new AppError('identifier_taken', `The scorecard has a rule "${identifier}"; the identifier is taken`);
      }
      const at = position < 0 ? known.definition.rules.length : position;
      const rules: unknown[] = [...known.definition.rules];
      rules[at] = rule;
      const body = { ...known.definition, identifier: known.identifier, rules };
      known.definition = await check(subject.blueprint, body as never, draft, (path) => pathOfRule(path, at));
      return { blueprintKey: subject.blueprintKey, scorecard: subject.scorecard, rule: identifier };
    },
    store: async (): Promise<void> => {
      const changed = new Set<StoredBlueprint>();
      for (const { blueprint, identifier, before, definition } of planned.values()) {
        const after = before
          ? await changeScorecard(work, blueprint, before, definition)
          : await addScorecard(work, blueprint, identifier, definition);
        if (after !== before) changed.add(blueprint);
      }
      for (const blueprint of changed) await reevaluate(work, blueprint);
      for (const blueprint of changed) await addResultTarget(listener, work, blueprint);
    },
  };
}

function scorecardKey({ key }: StoredBlueprint, identifier: string): string {
  return `${key}/${identifier}`;
}

function refused({ identifier }: Draft, issues: readonly Issue[], at: (path: string) => string): AppError {
  return invalidRequest(
    issues.map(({ path, message }) => ({ path: at(path), message })),
    `The entity "${identifier}"`,
  );
}

/** Where a part of a scorecard stands on its entity. */
function pathOfCard(path: string): string {
  const [, head = ''] = path.split('/');
  if (head === 'filter' || head === 'levels') return `/properties${path}`;
  // rules stay as they are: it is the levels that no longer hold them
  return head === 'rules' ? '/properties/levels' : path;
}

/** Where a part of a scorecard's rule stands on its entity. */
function pathOfRule(path: string, position: number): string {
  const start = `/rules/${position}/`;
  if (!path.startsWith(start)) return '/relations/scorecard';
  const rest = path.slice(start.length);
  if (rest.startsWith('description')) return '/properties/rule_description';
  return rest.startsWith('title') || rest.startsWith('identifier') ? `/${rest}` : `/properties/${rest}`;
}
