import {
  type AiBudget,
  type BudgetBody,
  type BudgetPeriod,
  type BudgetScope,
  wholeOrganization,
} from '@portolan/contract/ai-budgets';
import type { Actor } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { findTeamsByIdentifier, findUser } from '../../accounts/index.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import { lockMonth } from '../usage.store.ts';
import { countBefore, countedSince, deleteBudgetRow, putBudgetRow, readBudgets, readUsedDays } from './budget.store.ts';
import { type Budget, findFirstDay, type Subject, toDay } from './budget.ts';
import { firstForecastDay } from './forecast.ts';
import { presentBudget } from './present-budget.ts';

/** Whose budget, as the path says it. */
export interface NamedBudget {
  readonly scope: BudgetScope;
  readonly id: string;
  readonly period: BudgetPeriod;
}

/**
 * Sets a budget. The first one of a subject counts what it used until now, with no request counted meanwhile.
 * @throws AppError `not_found` for a team, user or agent that is not there
 */
export async function putBudget(
  deps: AssistantDeps,
  actor: Actor,
  named: NamedBudget,
  body: BudgetBody,
): Promise<AiBudget> {
  const { orgId } = actor;
  if (named.scope === 'agent') await findAgent(deps, actor, named.id);
  return deps.unitOfWork(actor, async ({ tx, now, record }) => {
    const subject = await findSubject(tx, orgId, named);
    lockMonth(tx, orgId, now);
    const [before] = await readOwn(tx, orgId, subject, named.period, now);
    let since = await countedSince(tx, orgId, subject);
    if (since === undefined) {
      since = subject.scope === 'team' ? toDay(now) : earliest(now);
      await countBefore(tx, orgId, subject, since);
    }
    const { requests = null, tokens = null, usd = null, action, warnAt } = body;
    const { period } = named;
    const budget: Budget = {
      ...subject,
      period,
      limits: { requests, tokens, usd },
      action,
      warnAt,
      countedSince: since,
    };
    await putBudgetRow(tx, orgId, budget, { by: actor.id, at: now });
    record({
      event: 'organization.updated',
      action: 'UPDATE',
      resourceType: 'organization',
      identifier: 'ai-budget',
      context: {},
      ...(before ? { before: recorded(before, named) } : {}),
      after: recorded(budget, named),
    });
    const [after] = await readOwn(tx, orgId, subject, period, now);
    if (!after) throw new Error('A budget that was written is not there');
    return presentBudget(after, await readUsedDays(tx, orgId, firstForecastDay(now)), now);
  });
}

/** @throws AppError `not_found` */
export function deleteBudget({ unitOfWork }: AssistantDeps, actor: Actor, named: NamedBudget): Promise<void> {
  const { orgId } = actor;
  return unitOfWork(actor, async ({ tx, now, record }) => {
    const subject =
      named.scope === 'team' ? await findSubject(tx, orgId, named) : { scope: named.scope, subject: named.id };
    lockMonth(tx, orgId, now);
    const [before] = await readOwn(tx, orgId, subject, named.period, now);
    if (!before || !(await deleteBudgetRow(tx, orgId, subject, named.period))) throw budgetMissing(named);
    record({
      event: 'organization.updated',
      action: 'UPDATE',
      resourceType: 'organization',
      identifier: 'ai-budget',
      context: {},
      before: recorded(before, named),
    });
  });
}

async function readOwn(reader: Reader, orgId: string, subject: Subject, period: BudgetPeriod, now: Date) {
  return (await readBudgets(reader, orgId, now, [subject])).filter((budget) => budget.period === period);
}

/** The subject that a path means. @throws AppError `not_found` */
async function findSubject(reader: Reader, orgId: string, { scope, id }: NamedBudget): Promise<Subject> {
  if (scope === 'team') {
    const [team] = await findTeamsByIdentifier(reader, orgId, [id]);
    if (!team) throw notFound('Team', id);
    return { scope, subject: team.key };
  }
  if (scope === 'user' && !(await findUser(reader, orgId, id))) throw notFound('User', id);
  if (scope === 'organization' && id !== wholeOrganization) throw notFound('Organization', id);
  return { scope, subject: id };
}

function budgetMissing({ scope, id, period }: NamedBudget) {
  return notFound(period === 'day' ? 'Daily budget' : 'Monthly budget', `${scope} ${id}`);
}

/** What a forecast and the budget of a month look at. */
function earliest(now: Date): string {
  const [month, forecast] = [findFirstDay('month', now), firstForecastDay(now)];
  return month < forecast ? month : forecast;
}

function recorded({ limits, action, warnAt }: Budget, { scope, id, period }: NamedBudget) {
  return { scope, id, period, ...limits, action, warnAt };
}
