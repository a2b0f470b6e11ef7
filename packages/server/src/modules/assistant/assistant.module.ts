import { type ConnectableProvider, connectableProviders } from '@portolan/contract/llm-providers';
import type { Metric } from 'prom-client';
import type { Route } from '../../platform/http/route.ts';
import { newUuid } from '../../platform/ids.ts';
import type { JobDeclaration } from '../../platform/jobs/job.ts';
import type { SecretScope } from '../../platform/secrets/secret-scope.ts';
import type { SpanExporter } from '../../platform/telemetry/span-exporter.ts';
import type { FollowCutover } from '../identity/index.ts';
import type { AssistantDeps } from './assistant.deps.ts';
import { assistantRoutes } from './assistant.routes.ts';
import { budgetRoutes } from './budgets/budgets.routes.ts';
import { warnJob } from './budgets/warn-budgets.ts';
import { policyRoutes } from './calls/policy.routes.ts';
import { conversationRoutes } from './conversations/conversations.routes.ts';
import { cutoverRoutes } from './cutover/cutover.routes.ts';
import { type CutoverDeps, followClockJob, followCutover, updateInvocationsJob } from './cutover/follow-cutover.ts';
import { createEventLog } from './event-log.ts';
import { createInvocationRunner } from './invocation-runner.ts';
import type { LoopLimits } from './loop/loop-input.ts';
import { loopLimits } from './loop/run-loop.ts';
import { createTokenRatios } from './loop/token-ratio.ts';
import { memoryRoutes } from './memory/memory.routes.ts';
import { defaultModels, type ModelSettings, type PriceTable } from './model/model-settings.ts';
import { createModels } from './model/models.ts';
import { createInvocationMetrics } from './observe/invocation-metrics.ts';
import { createInvocationObserver } from './observe/invocation-observer.ts';
import { createOffer } from './offered-tools.ts';
import { llmProviderRoutes } from './providers/llm-providers.routes.ts';
import { removeContentJob } from './remove-content.ts';
import { standingRoutes } from './standing/standing.routes.ts';
import { type LeftoverSweep, sweepAbandoned, sweepJob, sweepLeftovers } from './sweep-invocations.ts';
import { createUsageLedger } from './usage-ledger.ts';

export interface AiOptions {
  /** Takes over if the provider of the model cannot be reached. */
  readonly fallback?: ModelSettings | undefined;
  /** Prices of models, if the operator set any. */
  readonly prices?: PriceTable | undefined;
  /** Providers that organizations may connect; all by default. */
  readonly connectable?: readonly ConnectableProvider[] | undefined;
  /** Exporter of spans; none by default. */
  readonly spans?: SpanExporter | undefined;
  /** Days that questions and answers are kept; 90 by default. */
  readonly contentDays?: number | undefined;
  /** Room for the earlier turns of a conversation, in tokens; 12,000 by default. */
  readonly historyTokens?: number | undefined;
  /** Replaces the standard notice about the retired chat application. */
  readonly chatNotice?: string | undefined;
}

export interface AssistantOptions
  extends AiOptions,
    Pick<AssistantDeps, 'database' | 'unitOfWork' | 'clock' | 'log' | 'catalog' | 'tools' | 'effects' | 'findSource'>,
    Pick<CutoverDeps, 'blueprints' | 'surroundings'> {
  readonly model: ModelSettings;
  readonly secretValue: (orgId: string, name: string, opened: SecretScope) => Promise<string | undefined>;
  /** For addresses set by organizations. */
  readonly fetch: typeof globalThis.fetch;
  readonly limits?: Partial<LoopLimits>;
}

export interface Assistant {
  readonly routes: Route[];
  readonly jobs: JobDeclaration[];
  readonly metrics: readonly Metric[];
  /** Called when the operator changes the cutover of an organization. */
  readonly followCutover: FollowCutover;
  /**
   * Starts heartbeats. With `isAlone` no other process can be running invocations, so those left by a killed process
   * are ended in the background right away.
   */
  start(options: { readonly isAlone: boolean }): Promise<void>;
  /** Fails invocations whose process died, and returns how many. */
  sweep(backAt?: Date): Promise<number>;
  /** Ends streams of what runs elsewhere, waits so long for the invocations of this process, then interrupts them. */
  close(waitMs: number): Promise<void>;
}

const contentDaysDefault = 90;
const historyTokensDefault = 12_000;

export function createAssistant(options: AssistantOptions): Assistant {
  const { model: settings, fallback, prices = {}, connectable = connectableProviders } = options;
  const invocationMetrics = createInvocationMetrics();
  const operator = {
    provider: settings.provider,
    standard: settings.model || defaultModels[settings.provider],
    offered: settings.offered ?? [],
    connectable,
  };
  const { database, secretValue, fetch, unitOfWork } = options;
  const models = createModels({ database, settings, fallback, prices, operator, secretValue, fetch });
  const deps: CutoverDeps = {
    ...options,
    offer: createOffer(options.tools, options.log),
    events: createEventLog(options),
    ledger: createUsageLedger(options),
    limits: { ...loopLimits, ...options.limits },
    models,
    runner: newUuid(),
    observer: createInvocationObserver({ metrics: invocationMetrics, spans: options.spans, clock: options.clock }),
    historyTokens: options.historyTokens ?? historyTokensDefault,
    tokenRatios: createTokenRatios(),
    contentDays: options.contentDays ?? contentDaysDefault,
  };
  const runner = createInvocationRunner(deps);
  let leftovers: LeftoverSweep | undefined;
  return {
    routes: [
      ...assistantRoutes(deps, runner),
      ...conversationRoutes(deps),
      ...llmProviderRoutes({ database, unitOfWork, models, secretValue }),
      ...cutoverRoutes(deps),
      ...policyRoutes(deps),
      ...budgetRoutes(deps),
      ...standingRoutes(deps),
      ...memoryRoutes(deps),
    ],
    jobs: [
      sweepJob(deps),
      warnJob(deps),
      removeContentJob(deps),
      followClockJob(deps),
      updateInvocationsJob(deps) as unknown as JobDeclaration,
    ],
    metrics: invocationMetrics.metrics,
    followCutover: (work, move) => followCutover(deps, work, move),
    start: async ({ isAlone }) => {
      if (isAlone) leftovers = sweepLeftovers(deps);
      runner.start();
    },
    sweep: (backAt) => sweepAbandoned(deps, backAt),
    close: async (waitMs) => {
      deps.events.leave();
      await leftovers?.stop();
      await runner.close(waitMs);
      await deps.ledger.close();
      await deps.events.close();
    },
  };
}
