import type { CutoverReport } from '@portolan/contract/cutover';
import { notFound } from '../../../platform/errors.ts';
import { currentCutover, cutoverStart, findOrganization, type Organization } from '../../organizations/index.ts';
import { updateAgent } from '../agents/update-agent.ts';
import { chatApplication } from './chat-application.ts';
import { listSteps } from './cutover.store.ts';
import { type CutoverNow, decideInvocation } from './decide-invocation.ts';
import { migrationPaths } from './deprecation.ts';
import { findBlockers } from './find-blockers.ts';
import { type CutoverDeps, listAgents } from './follow-cutover.ts';

/** Notice about the assistant (specification, What the service does). */
const notice = 'The assistant is in open beta and not recommended for production-critical workflows at first.';

/** A stage to report on instead of the current one. */
export interface Rehearsal {
  readonly stage?: Organization['cutover']['stage'];
  readonly operatorUpdated?: boolean | undefined;
}

/** Reports an organization's stage, current or rehearsed, and what blocks the next one. Writes nothing. */
export async function reportCutover(
  deps: CutoverDeps,
  orgId: string,
  rehearsal: Rehearsal = {},
): Promise<CutoverReport> {
  const organization = await findOrganization(deps.database, orgId);
  if (!organization) throw notFound('Organization', orgId, 'id');
  const clock = deps.clock.now();
  const setting = { ...organization.cutover, ...given(rehearsal) };
  const now = currentCutover(setting, clock);
  const agents = await listAgents(deps, deps.database, orgId, organization.model);
  const known = await deps.surroundings.listActionIdentifiers(deps.database, orgId);
  const steps = await listSteps(deps.database, orgId);
  return {
    ...now,
    sunset: cutoverStart(setting).toISOString(),
    notice,
    chatApplication: chatApplication(clock, deps.chatNotice),
    endpoints: behaviours(now),
    blockers: await findBlockers(deps.surroundings, deps.database, orgId, clock),
    agents: agents.map(({ identifier, properties }) => {
      const { changes, findings } = updateAgent(properties, known);
      const isBlocked = findings.some(({ blocks }) => blocks);
      const isBehind = Object.keys(changes).length > 0;
      return {
        identifier,
        state: isBlocked ? 'blocked' : isBehind ? 'behind' : 'current',
        changes: changes as Record<string, never>,
        findings: [...findings],
      };
    }),
    steps: steps.map(({ at, kind, subject, details }) => ({
      at: at.toISOString(),
      kind,
      subject,
      details: details as Record<string, never>,
    })),
    migrationPaths: JSON.parse(JSON.stringify(migrationPaths)) as Record<string, never>,
  };
}

function given(rehearsal: Rehearsal): Rehearsal {
  // a rehearsed stage gets the operator's flag it would have by default
  if (rehearsal.stage === undefined) return rehearsal.operatorUpdated === undefined ? {} : rehearsal;
  return { stage: rehearsal.stage, operatorUpdated: rehearsal.operatorUpdated };
}

function behaviours(now: CutoverNow): CutoverReport['endpoints'] {
  const values = [null, true, false];
  return (['assistant', 'agent', 'router'] as const).flatMap((endpoint) =>
    values.flatMap((stream) =>
      values.map((useMcp) => {
        const form = { endpoint, stream: stream ?? undefined, useMcp: useMcp ?? undefined };
        const decision = decideInvocation(form, now);
        return { endpoint, stream, useMcp, answer: decision.isRefused ? decision.code : decision.answer };
      }),
    ),
  );
}
