import { defaultToolPatterns } from '@portolan/contract/assistant';
import { listAiTools } from '@portolan/contract/assistant-operations';
import { ApiError, type Client } from '@portolan/contract/client';
import { getEntity } from '@portolan/contract/entities';
import { type CaseQuestion, compileToolPattern, type EvalCase, type Variant } from '@portolan/evaluation';
import type { AskedAs } from './cassette.ts';
import { nodeGraderKit } from './node-grader-kit.ts';
import { setupError } from './read-cases.ts';

type Agents = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/** The properties of every agent that is asked, or judges. @throws CliError `eval_agent_missing` */
export async function readAgents(
  client: Client,
  cases: readonly EvalCase[],
  variants: readonly Variant[],
): Promise<Agents> {
  const judges = cases.flatMap(({ expect }) =>
    expect.flatMap((grader) => (grader.grader === 'judge' && grader.agent !== undefined ? [grader.agent] : [])),
  );
  const named = [...[...cases, ...variants].flatMap(({ agent }) => agent ?? []), ...judges];
  const agents = new Map<string, Readonly<Record<string, unknown>>>();
  for (const agent of new Set(named)) {
    const params = { blueprint_identifier: '_ai_agent', entity_identifier: agent };
    const { entity } = await client.call(getEntity, { params }).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
      throw setupError('eval_agent_missing', `There is no agent "${agent}", or you may not read it.`);
    });
    agents.set(agent, entity.properties ?? {});
  }
  return agents;
}

/** Says what an answer depends on; the tools are those that exist when the evaluation begins. */
export async function describeAsked(client: Client, agents: Agents): Promise<(question: CaseQuestion) => AskedAs> {
  const { tools } = await client.call(listAiTools);
  return ({ asked, variant }) => {
    const agent = variant.agent ?? asked.agent;
    const its = agent === undefined ? undefined : (agents.get(agent) ?? {});
    const given = its?.['tools'];
    const patterns = asked.setup.tools ?? (Array.isArray(given) ? given.map(String) : defaultToolPatterns);
    const chosen = patterns.map((pattern) => compileToolPattern(nodeGraderKit, pattern));
    return {
      question: asked.question,
      prompt: its ? String(its['prompt'] ?? '') : (variant.prompt?.text ?? asked.setup.systemPrompt ?? ''),
      model: JSON.stringify(variant.model ?? [its?.['provider'] ?? null, its?.['model'] ?? null]),
      tools: JSON.stringify(tools.filter(({ name }) => chosen.some((pattern) => pattern.test(name)))),
    };
  };
}
