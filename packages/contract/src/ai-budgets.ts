import { z } from 'zod';
import { operation } from './operation.ts';
import { timestamp } from './wire.ts';

export const budgetScopes = ['organization', 'team', 'user', 'agent'] as const;
export type BudgetScope = (typeof budgetScopes)[number];
export const budgetPeriods = ['day', 'month'] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];
export const budgetMeasures = ['requests', 'tokens', 'usd'] as const;
export type BudgetMeasure = (typeof budgetMeasures)[number];

/** The identifier of the one budget that is of nobody in particular. */
export const wholeOrganization = 'all';

const amount = z.number().int().min(0).max(1_000_000_000_000);

/** What an administrator writes of a budget. */
export const budgetBody = z
  .strictObject({
    requests: amount.optional().describe('Questions.'),
    tokens: amount.optional().describe('Tokens, read and written.'),
    usd: z
      .number()
      .min(0)
      .max(1_000_000_000)
      .optional()
      .describe('US dollars, as far as the prices of models are known.'),
    action: z
      .enum(['stop', 'warn'])
      .default('stop')
      .describe('What happens when it is used up: `stop` refuses the next question, `warn` only tells.'),
    warnAt: z.number().gt(0).max(1).default(0.8).describe('The share at which administrators are warned.'),
  })
  .refine((body) => budgetMeasures.some((measure) => body[measure] !== undefined), {
    error: 'must limit at least one of requests, tokens and usd',
  });
export type BudgetBody = z.output<typeof budgetBody>;

const figures = z.object({ requests: z.number(), tokens: z.number(), usd: z.number() });

const forecast = z.object({
  /** At the end of the period, if days go on as they were. */
  expected: z.number(),
  low: z.number(),
  high: z.number(),
});

export const budgetSchema = z.object({
  scope: z.enum(budgetScopes),
  /** Of the team, user or agent; `all` for the organization. */
  id: z.string(),
  title: z.string(),
  period: z.enum(budgetPeriods),
  requests: z.number().int().nullable(),
  tokens: z.number().int().nullable(),
  usd: z.number().nullable(),
  action: z.enum(['stop', 'warn']),
  warnAt: z.number(),
  /** With what is set aside for runs that are going on. */
  used: figures,
  /** Runs of the period whose cost is not known: `used.usd` lacks them. */
  uncosted: z.number().int(),
  /** `near` from the share of `warnAt` on, `spent` where a limit is reached. */
  state: z.enum(['within', 'near', 'spent']),
  resetDate: timestamp,
  /** Per limit that is set; null where no day is known yet. */
  forecast: z.object({
    requests: forecast.nullable(),
    tokens: forecast.nullable(),
    usd: forecast.nullable(),
    /** Of the last 28 days those that were not counted yet. */
    daysWithoutData: z.number().int(),
  }),
});
export type AiBudget = z.output<typeof budgetSchema>;

const params = z.object({
  scope: z.enum(budgetScopes),
  budget_identifier: z.string().min(1).max(1000),
  period: z.enum(budgetPeriods),
});
const tag = 'AI assistant';
const path = '/v1/ai/budgets/{scope}/{budget_identifier}/{period}';
const oneBudget = z.object({ ok: z.literal(true), budget: budgetSchema });

export const listAiBudgets = operation({
  id: 'listAiBudgets',
  method: 'GET',
  path: '/v1/ai/budgets',
  tag,
  summary: 'List budgets of the assistant, with what is used and what to expect',
  description:
    'Administrators see all; everybody else those of the organization, their own, those of their teams, and those of agents that they may read. The forecast adds to what is used, for each day that is left, the median of that weekday in the last 28 days; `low` and `high` are its tenth and ninetieth percentile.',
  access: 'token',
  invalidStatus: 400,
  answer: z.object({ ok: z.literal(true), budgets: z.array(budgetSchema) }),
  errors: [],
});

export const putAiBudget = operation({
  id: 'putAiBudget',
  method: 'PUT',
  path,
  tag,
  summary: 'Set a budget of the organization, a team, a user or an agent',
  description:
    'The identifier of the organization is `all`. What was used before in the period counts, except for teams, whose use is counted from now on. A budget is looked at before a run; none is cut by it.',
  access: 'admin',
  scope: 'update:organization',
  invalidStatus: 400,
  params,
  body: budgetBody,
  unknownFields: 'closed',
  answer: oneBudget,
  errors: ['not_found'],
});

export const deleteAiBudget = operation({
  id: 'deleteAiBudget',
  method: 'DELETE',
  path,
  tag,
  summary: 'Remove a budget',
  access: 'admin',
  scope: 'update:organization',
  invalidStatus: 400,
  params,
  answer: z.object({ ok: z.literal(true) }),
  errors: ['not_found'],
});

export const aiBudgetOperations = [listAiBudgets, putAiBudget, deleteAiBudget] as const;
