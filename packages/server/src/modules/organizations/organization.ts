import type { cutoverStage, organizationModel, planName } from '@portolan/contract/operator';
import type { z } from 'zod';

export type OrganizationModel = z.output<typeof organizationModel>;
export type CutoverStage = z.output<typeof cutoverStage>;
export type PlanName = z.output<typeof planName>;

/** Limits of the assistant: invocations per calendar month (UTC), requests and tokens per hour. */
export interface Quotas {
  readonly monthlyInvocations: number;
  readonly hourlyRequests: number;
  readonly hourlyTokens: number;
}

/** Seats of the free plan, as published; other plans have no limit. */
const freeSeats = 15;

/** The limit of people invited or active; service accounts, staged and disabled people take no seat. */
export function seatLimit({ plan, quotas }: Pick<Organization, 'plan' | 'quotas'>): number {
  return quotas.users ?? (plan === 'free' ? freeSeats : Number.POSITIVE_INFINITY);
}

/** Limits that the operator set; the others come from the plan. */
export type QuotaSetting = { readonly [Limit in keyof Quotas]?: number | undefined } & {
  /** Most people invited or active. */
  readonly users?: number | undefined;
};

/** Cutover settings of the operator; the clock decides what is absent. */
export interface CutoverSetting {
  readonly stage?: CutoverStage | undefined;
  readonly operatorUpdated?: boolean | undefined;
  /** The instant of the move to `cutover`. */
  readonly scheduledAt?: string | undefined;
}

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly model: OrganizationModel;
  readonly plan: PlanName;
  /** Limits set beside the plan. */
  readonly quotas: QuotaSetting;
  readonly cutover: CutoverSetting;
  /** The organization beside which this one is a demo; null for all others. */
  readonly demoOf: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The newest published figures per minute, times 60 (decision 0007). */
const hourly = { hourlyRequests: 12_000, hourlyTokens: 30_000_000 };
const plans: Record<PlanName, Quotas> = {
  free: { monthlyInvocations: 50, ...hourly },
  standard: { monthlyInvocations: 500, ...hourly },
  enterprise: { monthlyInvocations: 20_000, ...hourly },
};

/** The limits in force, the operator's or the plan's; always numbers. */
export function effectiveQuotas(organization: Pick<Organization, 'plan' | 'quotas'>): Quotas {
  const set = Object.fromEntries(Object.entries(organization.quotas).filter(([, value]) => value !== undefined));
  return { ...plans[organization.plan], ...(set as Partial<Quotas>) };
}

/** Starts of the stages (specification, Versioning); `cutover` follows "after 15 October". */
const stageStarts: readonly [CutoverStage, number][] = [
  ['cutover', Date.UTC(2025, 9, 16)],
  ['schema_testing', Date.UTC(2025, 9, 8)],
  ['transition', Date.UTC(2025, 9, 1)],
];

/**
 * The stage in force: the operator's if set, otherwise by the scheduled instant, otherwise by the specification's
 * dates. `operatorUpdated` is true at `cutover` unless the operator set it.
 */
export function currentCutover(setting: CutoverSetting, now: Date): { stage: CutoverStage; operatorUpdated: boolean } {
  const stage = setting.stage ?? stageByClock(setting.scheduledAt, now);
  return { stage, operatorUpdated: setting.operatorUpdated ?? stage === 'cutover' };
}

/** When the organization moves to `cutover`, if a clock decides it. */
export function cutoverStart({ scheduledAt }: CutoverSetting): Date {
  return new Date(scheduledAt ?? stageStarts[0]?.[1] ?? 0);
}

function stageByClock(scheduledAt: string | undefined, now: Date): CutoverStage {
  const start = scheduledAt === undefined ? undefined : Date.parse(scheduledAt);
  if (start !== undefined && now.getTime() >= start) return 'cutover';
  const reached = stageStarts.find(([, startsAt]) => now.getTime() >= startsAt)?.[0] ?? 'legacy';
  return start !== undefined && reached === 'cutover' ? 'schema_testing' : reached;
}

export function presentOrganization(organization: Organization, now: Date) {
  const { scheduledAt } = organization.cutover;
  return {
    id: organization.id,
    name: organization.name,
    model: organization.model,
    cutover: { ...currentCutover(organization.cutover, now), ...(scheduledAt ? { scheduledAt } : {}) },
    plan: organization.plan,
    quotas: effectiveQuotas(organization),
    createdAt: organization.createdAt.toISOString(),
    updatedAt: organization.updatedAt.toISOString(),
  };
}
