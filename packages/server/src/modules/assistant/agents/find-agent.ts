import type { Actor } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { getEntity } from '../../entities/index.ts';
import { searchBlueprint } from '../../search/index.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import { type Candidate, chooseAgent } from './choose-agent.ts';
import type { AgentProperties } from './update-agent.ts';

export interface FoundAgent {
  readonly identifier: string;
  readonly properties: AgentProperties;
  /** Keys of the teams that own it; a name that means no team stands with a mark before it. */
  readonly teamRefs: readonly string[];
}

/** @throws AppError `not_found`, also for an agent that the caller may not read */
export async function findAgent(deps: AssistantDeps, actor: Actor, identifier: string): Promise<FoundAgent> {
  try {
    const { entity } = await getEntity(deps.catalog, actor, '_ai_agent', identifier);
    return { identifier, properties: entity.properties, teamRefs: entity.teamRefs };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') throw notFound('Agent', identifier);
    throw error;
  }
}

/** Bounds the agents that the router considers. */
const candidatesMax = 200;

export type AgentChoice =
  | { readonly agent: FoundAgent; readonly reason: string }
  | { readonly agent?: undefined; readonly error: AppError };

/** Chooses among active agents that the caller may read. */
export async function routeQuestion(deps: AssistantDeps, actor: Actor, question: string): Promise<AgentChoice> {
  const entities = await candidates(deps, actor);
  const active = entities.filter(({ properties }) => properties['status'] !== 'inactive');
  if (active.length === 0) {
    return { error: new AppError('no_agent_available', 'There is no active agent that could answer') };
  }
  const chosen = chooseAgent(question, active.map(toCandidate));
  const agent = active.find(({ identifier }) => identifier === chosen?.identifier);
  if (!chosen || !agent) return { error: new AppError('no_agent_match', 'No agent fits the question; name one') };
  return { agent, reason: chosen.reason };
}

async function candidates(deps: AssistantDeps, actor: Actor) {
  try {
    return (await searchBlueprint(deps.catalog, actor, '_ai_agent', { limit: candidatesMax })).entities;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return [];
    throw error;
  }
}

function toCandidate(entity: FoundAgent & { readonly title?: string | null }): Candidate {
  const { description, prompt, conversation_starters: starters } = entity.properties;
  return {
    identifier: entity.identifier,
    about: [entity.title, entity.identifier, description, ...(Array.isArray(starters) ? starters : [])].join(' '),
    prompt: String(prompt ?? ''),
  };
}
