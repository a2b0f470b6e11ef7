import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { ToolSet } from '../../platform/tools/tool-source.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import type { CatalogDeps } from '../entities/index.ts';
import type { EventLog } from './event-log.ts';
import type { LoopLimits } from './loop/run-loop.ts';
import type { Models } from './model/models.ts';
import type { RunObserver } from './observe/run-observer.ts';
import type { OfferTools } from './offered-tools.ts';
import type { InvocationEffects } from './read-evidence.ts';

/** What the use cases of the assistant need. */
export interface AssistantDeps {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  readonly catalog: CatalogDeps;
  readonly tools: ToolSet;
  /** The tools a list of patterns selects. */
  readonly offer: OfferTools;
  /** What invocations led to. */
  readonly effects: InvocationEffects;
  readonly events: EventLog;
  readonly limits: LoopLimits;
  /** The models of the operator and of organizations. */
  readonly models: Models;
  /** This process, as the one that runs invocations. */
  readonly runner: string;
  /** Told of every run. */
  readonly observer: RunObserver;
  /** Days that questions and answers are kept after a run ended. */
  readonly contentDays: number;
  /** What people are told of the chat application that stopped, instead of the standard sentence. */
  readonly chatNotice?: string | undefined;
}
