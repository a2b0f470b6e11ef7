import {
  type BudgetMeasure,
  type BudgetPeriod,
  type BudgetScope,
  budgetMeasures,
  wholeOrganization,
} from '@portolan/contract/ai-budgets';

export type Amounts = Readonly<Record<BudgetMeasure, number>>;

/** Who a request counts for, in the one order in which it is counted. */
export interface Subject {
  readonly scope: BudgetScope;
  /** Key of a team, identifier of a user or an agent, `all` of the organization. */
  readonly subject: string;
}

export interface Budget extends Subject {
  readonly period: BudgetPeriod;
  readonly limits: Readonly<Record<BudgetMeasure, number | null>>;
  readonly action: 'stop' | 'warn';
  readonly warnAt: number;
  /** The first day that is counted. */
  readonly countedSince: string;
}

/** A budget with what counts against it in its period. */
export interface BudgetState extends Budget {
  readonly used: Amounts;
  readonly uncosted: number;
  /** Identifier and title of the team, user or agent; null if it is gone. */
  readonly id: string | null;
  readonly title: string | null;
}

/** Who asks, and which agent answers. */
export interface Payer {
  readonly userId?: string | undefined;
  readonly teamKeys: readonly string[];
  readonly agent: PayingAgent | null;
}

export interface PayingAgent {
  readonly identifier: string;
  /** Of the teams that own it. */
  readonly teamKeys: readonly string[];
}

export const nobody: Payer = { teamKeys: [], agent: null };

/** As charges name it; scopes hold no slash. */
export function subjectKey({ scope, subject }: Subject): string {
  return `${scope}/${subject}`;
}

/**
 * Everybody a request counts for: the organization, the teams, the person, the agent. The teams are those that own the
 * agent, and without an agent that a team owns, all of the person (decision 0168).
 */
export function listSubjects({ userId, teamKeys, agent }: Payer): Subject[] {
  const teams = agent && agent.teamKeys.length > 0 ? agent.teamKeys : teamKeys;
  return [
    { scope: 'organization', subject: wholeOrganization },
    ...[...new Set(teams)].sort().map((subject) => ({ scope: 'team' as const, subject })),
    ...(userId === undefined ? [] : [{ scope: 'user' as const, subject: userId }]),
    ...(agent === null ? [] : [{ scope: 'agent' as const, subject: agent.identifier }]),
  ];
}

/** A day of UTC, as `2026-11-27`. */
export function toDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

export function findFirstDay(period: BudgetPeriod, now: Date): string {
  const day = toDay(now);
  return period === 'day' ? day : `${day.slice(0, 8)}01`;
}

/** When a budget begins anew. */
export function findReset(period: BudgetPeriod, now: Date): Date {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return new Date(period === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1));
}

export function limitedMeasures({ limits }: Pick<Budget, 'limits'>): BudgetMeasure[] {
  return budgetMeasures.filter((measure) => limits[measure] !== null);
}

/** How far a budget is used: the furthest of its limits decides. */
export function decideState({ limits, used, warnAt }: Pick<BudgetState, 'limits' | 'used' | 'warnAt'>) {
  const reaches = (share: number) =>
    limitedMeasures({ limits }).some((measure) => used[measure] >= (limits[measure] as number) * share);
  if (reaches(1)) return 'spent';
  return reaches(warnAt) ? 'near' : 'within';
}
