import type * as contract from '@portolan/contract/invocation-answers';
import type { FastifyBaseLogger } from 'fastify';
import type { Actor } from '../../platform/actor.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { ToolSet } from '../../platform/tools/tool-source.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import type { CatalogDeps } from '../entities/index.ts';
import type { FindSource } from './calls/trusted-sources.ts';
import type { EventLog } from './event-log.ts';
import type { LoopLimits } from './loop/loop-input.ts';
import type { TokenRatios } from './loop/token-ratio.ts';
import type { Models } from './model/models.ts';
import type { InvocationObserver } from './observe/invocation-observer.ts';
import type { OfferTools } from './offered-tools.ts';
import type { UsageLedger } from './usage-ledger.ts';

export interface AssistantDeps {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  readonly catalog: CatalogDeps;
  readonly tools: ToolSet;
  readonly offer: OfferTools;
  readonly effects: InvocationEffects;
  readonly findSource: FindSource;
  readonly events: EventLog;
  readonly ledger: UsageLedger;
  readonly limits: LoopLimits;
  /** Models of the operator and of organizations. */
  readonly models: Models;
  /** Identifies this process as a runner of invocations. */
  readonly runner: string;
  readonly observer: InvocationObserver;
  /** Room for the earlier turns of a conversation, in tokens. */
  readonly historyTokens: number;
  readonly tokenRatios: TokenRatios;
  /** Days that questions and answers are kept after the end. */
  readonly contentDays: number;
  /** Replaces the standard notice about the retired chat application. */
  readonly chatNotice?: string | undefined;
}

/** Effects of invocations, from modules above this one, handed in by `app.ts`. */
export interface InvocationEffects {
  /** Action runs that the caller may see. */
  listRuns(actor: Actor, invocation: string): Promise<readonly contract.InvocationRun[]>;
  /** Like `listRuns`, with decisions and changes. */
  evidenceOf(actor: Actor, invocation: string): Promise<readonly Omit<contract.RunEvidence, 'audits'>[]>;
  /** Authors of the texts that led to an action run. */
  carriedBy(orgId: string, run: string): Promise<readonly string[]>;
  /** The entity that an action run is for, which may be gone. */
  entityOf(
    orgId: string,
    run: string,
  ): Promise<{ readonly blueprint: string; readonly identifier: string } | undefined>;
  /** The self-service actions that the actor may see. */
  standingActions(actor: Actor): Promise<readonly StandingAction[]>;
  recordsOf(actor: Actor, run: string): Promise<contract.RunEvidence['audits']>;
  /** Proposes a workflow that does again what an answer did. */
  proposeFromAnswer(actor: Actor, answer: PastAnswer): Promise<{ readonly id: string }>;
}

/** An answer, as far as it is needed to do the same again. */
export interface PastAnswer {
  readonly invocation: string;
  readonly question: string;
  /** Of everything that it read. */
  readonly authors: readonly string[];
  readonly calls: readonly { readonly name: string; readonly arguments: string; readonly isError?: boolean }[];
}

/** An action, as far as somebody who lets an agent run it by itself has to know it. */
export interface StandingAction {
  readonly id: string;
  readonly version: number;
  readonly identifier: string;
  readonly title: string | null;
  /** Of the entity that it needs; null if it needs none. */
  readonly blueprint: string | null;
  readonly isDestructive: boolean;
  readonly inputs: readonly { readonly key: string; readonly title: string }[];
  /** Whether the actor may run and approve it. */
  readonly mayGive: boolean;
}
