import type { Reader, Tx } from '../../../platform/db/database.ts';
import { nameAuthor, type TextAuthor } from '../../../platform/text-authors.ts';
import type { CallDecision, CallFacts } from '../../../platform/tools/call-decision.ts';
import { findBlueprint } from '../../blueprints/index.ts';
import { lockEntities } from '../../entities/index.ts';
import { digestAgent } from '../agents/agent-version.ts';
import { hasDrafts } from '../calls/decide-call.ts';
import { findNamedAlone } from '../calls/named-entities.ts';
import type { Lapse, StandingApproval, StandingSituation } from './cover-call.ts';
import { countUsesInHour, insertUse, listStandingRowsFor, lockStandingRow } from './standing.store.ts';

export interface StandingAgent {
  readonly orgId: string;
  readonly agent: { readonly identifier: string; readonly version: string };
  /** What the caller vouches for. */
  readonly question: string;
  /** `blueprint/identifier` of the entity that the question is about. */
  readonly trigger?: string | undefined;
}

/** The standing approvals of the agent that answers one invocation. */
export interface Standings {
  /** Undefined where nobody gave one for the action. */
  describe(callId: string, facts: CallFacts): Promise<StandingSituation | undefined>;
  /** Counts the run, in the transaction that stores it; false if the approval does not hold any more. */
  use(callId: string, tx: Tx, decision: CallDecision, run: UsingRun): Promise<boolean>;
}

interface UsingRun {
  readonly id: string;
  readonly at: Date;
}

interface StandingDeps {
  readonly database: Reader;
  readonly clock: { now(): Date };
}

export function createStandings(deps: StandingDeps, { orgId, agent, question, trigger }: StandingAgent): Standings {
  // an agent that changed is seen only under its lock, and has to be known when the call is decided again
  const changedFor = new Set<string>();
  return {
    async describe(callId, facts) {
      const { action } = facts;
      if (!hasDrafts(facts) || !action) return undefined;
      const now = deps.clock.now();
      const found = await listStandingRowsFor(deps.database, orgId, now, {
        agent: agent.identifier,
        actionId: action.id,
      });
      if (found.length === 0) return undefined;
      const holding = found.filter(({ revokedAt, expiresAt }) => revokedAt === null && expiresAt > now);
      return {
        approvals: found,
        now,
        agentVersion: changedFor.has(callId) ? '' : agent.version,
        question,
        named: asksForQuestion(found) ? await findNamedAlone(deps.database, orgId, facts, question) : new Set(),
        trigger,
        mayGive: await listGivers(holding, facts),
      };
    },
    async use(callId, tx, { standing }, run) {
      if (!standing) return false;
      const lapse = await takeUse(tx, orgId, standing.id, run);
      if (lapse === 'agent-changed') changedFor.add(callId);
      return lapse === undefined;
    },
  };
}

function asksForQuestion(approvals: readonly StandingApproval[]): boolean {
  return approvals.some(({ entity, inputs }) => entity === 'question' || Object.values(inputs).includes('question'));
}

async function listGivers(approvals: readonly StandingApproval[], facts: CallFacts): Promise<ReadonlySet<TextAuthor>> {
  const givers = new Set(approvals.map(({ givenBy }) => nameAuthor({ kind: 'person', id: givenBy })));
  const allowed = new Set<TextAuthor>();
  for (const giver of givers) if (await facts.mayGive?.(giver)) allowed.add(giver);
  return allowed;
}

/** Takes one run of the hour, unless the approval does not hold now. */
async function takeUse(tx: Tx, orgId: string, id: string, run: UsingRun): Promise<Lapse | undefined> {
  const held = await lockStandingRow(tx, orgId, id);
  if (!held || held.revokedAt !== null) return 'revoked';
  if (held.expiresAt <= run.at) return 'expired';
  if ((await readAgentVersion(tx, orgId, held.agent)) !== held.agentVersion) return 'agent-changed';
  if ((await countUsesInHour(tx, orgId, id, run.at)) >= held.maxPerHour) return 'used-up';
  await insertUse(tx, orgId, id, run);
  return undefined;
}

async function readAgentVersion(tx: Tx, orgId: string, agent: string): Promise<string | undefined> {
  const blueprint = await findBlueprint(tx, orgId, '_ai_agent');
  const [entity] = blueprint ? await lockEntities(tx, orgId, blueprint.key, [agent]) : [];
  return entity && digestAgent(entity.properties);
}
