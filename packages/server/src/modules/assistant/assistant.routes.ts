import * as contract from '@portolan/contract/assistant-operations';
import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { effectiveQuotas, findOrganization } from '../organizations/index.ts';
import { answerInvocation, eventStream, parseLastEvent, resumeStream } from './answer-invocation.ts';
import type { AssistantDeps } from './assistant.deps.ts';
import { cancelInvocation } from './cancel-invocation.ts';
import { readShownInvocation } from './conversations/read-shown-invocation.ts';
import type { InvocationRunner } from './invocation-runner.ts';
import { listTools } from './list-tools.ts';
import { proposeFromInvocation } from './propose-from-invocation.ts';
import { readAiUsage } from './read-ai-usage.ts';
import { readEvidence, runsShown } from './read-evidence.ts';
import { listInvocations, presentResult, readInvocation } from './read-invocation.ts';
import { readReceipts } from './receipts/read-receipts.ts';
import { readUsage } from './usage-now.ts';

export function assistantRoutes(deps: AssistantDeps, runner: InvocationRunner): Route[] {
  const cancel = async (id: string, actor: Actor) => presentResult(await cancelInvocation(deps, runner, actor, id));
  return [
    route(contract.invokeAssistant, ({ query }, request) =>
      answerInvocation(deps, runner, { endpoint: 'assistant' }, query, request),
    ),
    route(contract.invokeAgent, ({ params, query }, request) => {
      const path = { endpoint: 'agent', agent: params.agent_identifier } as const;
      return answerInvocation(deps, runner, path, query, request);
    }),
    // streams on request, which the operation's type does not express
    route(
      contract.invokeRouter,
      ({ query }, request) => answerInvocation(deps, runner, { endpoint: 'router' }, query, request) as never,
    ),
    route(contract.getInvocation, async ({ params }, { actor }) => {
      const invocation = await readInvocation(deps, actor, params.invocation_identifier);
      return presentResult(invocation, await runsShown(deps, actor, invocation.id));
    }),
    route(contract.getInvocationEvidence, async ({ params }, { actor }) => ({
      evidence: await readEvidence(deps, actor, params.invocation_identifier),
    })),
    route(contract.proposeWorkflowOfInvocation, async ({ params }, { actor }) => ({
      proposal: { identifier: await proposeFromInvocation(deps, actor, params.invocation_identifier) },
    })),
    route(contract.getInvocationReceipts, async ({ params }, { actor }) => ({
      receipts: await readReceipts(deps, actor, params.invocation_identifier),
    })),
    route(contract.streamInvocation, async ({ params, query }, request) => {
      const invocation = await readShownInvocation(deps, request.actor, params.invocation_identifier);
      const last = parseLastEvent(request);
      if (last) return resumeStream(deps, request, invocation, { last, ...query });
      return eventStream(deps, request, invocation, { after: 0, ...query });
    }),
    route(contract.cancelInvocation, ({ params }, { actor }) => cancel(params.invocation_identifier, actor)),
    route(contract.cancelInvocationByPost, ({ params }, { actor }) => cancel(params.invocation_identifier, actor)),
    route(contract.listInvocations, ({ query }, { actor }) => listInvocations(deps, actor, query)),
    route(contract.getAiUsage, ({ query }, { actor }) => readAiUsage(deps, actor, query)),
    route(contract.listAiTools, async (_input, { actor }) => ({ tools: await listTools(deps.tools, actor) })),
    route(contract.getAiQuota, async (_input, { actor }) => {
      const { usage } = await limitsNow(deps, actor);
      return { monthlyQuotaUsage: usage.monthlyQuotaUsage };
    }),
    route(contract.getAiLimits, async (_input, { actor }) => {
      const { plan, usage } = await limitsNow(deps, actor);
      const { monthlyQuotaUsage, rateLimitUsage } = usage;
      return { plan, monthlyQuotaUsage, rateLimitUsage, contentDays: deps.contentDays };
    }),
  ];
}

/** The organization's limits and usage. @throws AppError `not_found` */
async function limitsNow({ database, clock }: AssistantDeps, { orgId }: Actor) {
  const organization = await findOrganization(database, orgId);
  if (!organization) throw new AppError('not_found', 'The organization is gone');
  const usage = await readUsage(database, orgId, effectiveQuotas(organization), clock.now());
  return { plan: organization.plan, usage };
}
