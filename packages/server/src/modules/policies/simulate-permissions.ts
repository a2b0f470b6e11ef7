import type { OperationAnswer, OperationInput } from '@portolan/contract/operation';
import type { simulatePermissions as operation } from '@portolan/contract/permission-explanations';
import type { Sql } from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import { readCursor, writeCursor } from '../../platform/page-cursor.ts';
import { isPersonal, preparePolicies, reachConditions, readCondition, satisfiedNames } from '../access/index.ts';
import { type SearchDeps, toSql } from '../entity-query/index.ts';
import { effectivePolicy, grantsBehind } from '../rights/index.ts';
import { checkGrants, disabledCheck, toDecisionText, wordsFor } from './decision-text.ts';
import { withUnsaved } from './explain-permission.ts';
import { personalCheck } from './personal-check.ts';
import { findQueriedUser, type PermissionQuestion } from './queried-user.ts';
import { countAllowed, type JudgedRow, neverNull, selectJudged } from './reach.store.ts';

type Question = OperationInput<typeof operation>['body'];
type Simulation = Omit<OperationAnswer<typeof operation>, 'ok'>;

/**
 * The entities of a blueprint on which a user may do something, with changes of rights that are not saved, page by page
 * in the order they were created; and by which rule.
 * @throws AppError `not_found`, `invalid_request`
 */
export async function simulatePermissions(
  deps: SearchDeps,
  asking: Actor,
  blueprintName: string,
  question: Question,
): Promise<Simulation> {
  const { operation: verb, show, limit } = question;
  const asked = await findQueriedUser(deps.database, asking, blueprintName, question.user);
  const { changed, warnings } = await withUnsaved(deps, asking, asked, question.permissions);
  const after = await allowedBy(deps, changed, verb);
  const before = question.permissions ? await allowedBy(deps, asked, verb) : after;
  const afterKey = question.from ? readCursor(question.from, '[]').key : 0;
  const { actor, blueprint } = changed;
  const grants = grantsBehind(verb, blueprint);
  const policed = isPersonal(actor, blueprint)
    ? []
    : grants.filter(({ grant }) => effectivePolicy(grant) !== undefined);
  const compile = await preparePolicies(deps, actor, [{ blueprint, grants: policed }]);
  const met = satisfiedNames(blueprint, policed, compile);
  const judged = { after, before, met };
  const rows = await selectJudged(deps.database, blueprint, judged, { show, afterKey, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    user: changed.user,
    entities: await presentSimulated(deps, changed, verb, page),
    ...(question.from ? {} : { counts: await countAllowed(deps.database, blueprint, after, before) }),
    ...(last ? { next: writeCursor({ key: last.key, values: [] }, '[]') } : {}),
    warnings: [...warnings],
  };
}

/** True where the user may do it, else false: never null. */
async function allowedBy(
  deps: SearchDeps,
  { actor, blueprint, isDisabled }: PermissionQuestion,
  verb: Question['operation'],
): Promise<Sql> {
  if (isDisabled) return toSql(false);
  if (verb === 'read') return neverNull(await readCondition(deps, actor, blueprint));
  return neverNull(toSql((await reachConditions(deps, actor, verb, [blueprint]))(blueprint)));
}

async function presentSimulated(
  deps: SearchDeps,
  asked: PermissionQuestion,
  verb: Question['operation'],
  rows: readonly JudgedRow[],
) {
  const words = await wordsFor(deps.database, asked, ...rows.map(({ teamRefs }) => ({ teamRefs })));
  const grants = grantsBehind(verb, asked.blueprint);
  return rows.map((row) => {
    const personal = verb === 'read' ? personalCheck(asked, { stored: row }) : undefined;
    const subject = { teamRefs: row.teamRefs, met: new Set(row.met) };
    const checks = asked.isDisabled ? [disabledCheck] : personal ? [personal] : checkGrants(words, grants, subject);
    const { identifier, title, wasAllowed } = row;
    return { identifier, title, ...toDecisionText(checks), allowedBefore: wasAllowed };
  });
}
