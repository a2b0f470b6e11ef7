import type { InvokeRequest } from '@portolan/contract/assistant';
import type { Actor } from '../../../platform/actor.ts';
import { mergeAuthors, nameAuthor, platformAuthor, type TextAuthor } from '../../../platform/text-authors.ts';
import { findEntityAuthors } from '../../entities/index.ts';
import type { Agent } from '../agents/agent.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import type { Invocation } from '../invocation.store.ts';
import { findContextAuthors, readNamedEntity } from './context-authors.ts';
import { createRunLabel, type RunLabel } from './run-label.ts';

export interface OpenedLabel {
  readonly label: RunLabel;
  readonly caller: TextAuthor;
  /** What the caller vouches for; empty where a run asks, because texts of others may be filled in. */
  readonly question: string;
  /** The entity that the person looks at, if the context names nothing else. */
  readonly lookedAt?: string | undefined;
  /** `blueprint/identifier` of the entity that the question is about: that of its context, or of the run that asks. */
  readonly trigger?: string | undefined;
  readonly agent?: { readonly prompt: string; readonly editors: readonly TextAuthor[] } | undefined;
}

interface BegunInvocation {
  readonly actor: Actor;
  readonly invocation: Invocation;
  readonly request: InvokeRequest;
  readonly agent?: Agent | undefined;
}

/** The label of an invocation before it reads anything: who asks, who wrote its prompt, and who described its tools. */
export async function openLabel(
  deps: Pick<AssistantDeps, 'database' | 'effects'>,
  { actor, invocation, request, agent }: BegunInvocation,
  describedBy: readonly TextAuthor[],
): Promise<OpenedLabel> {
  const { orgId } = actor;
  const label = createRunLabel();
  const caller = nameAuthor(actor);
  label.addInstructions([caller], 'the question');
  label.addInstructions(describedBy, 'the descriptions of tools');
  label.add(await findContextAuthors(deps.database, orgId, request.context), 'the context of the question');
  const asking = actor.runId ?? askingRun(invocation);
  const behindRun = asking === undefined ? [] : await deps.effects.carriedBy(orgId, asking);
  const carried = mergeAuthors(behindRun, actor.carriedAuthors ?? []);
  label.add(carried, asking === undefined ? 'what led to the question' : `the run ${asking}`);
  const isVouched = carried.every((author) => author === caller || author === platformAuthor);
  // what stands beside the question may hold names that strangers chose
  const question = isVouched ? request.userPrompt : '';
  const named = request.context && readNamedEntity(request.context);
  const about = named ?? (asking === undefined ? undefined : await deps.effects.entityOf(orgId, asking));
  const [lookedAt, trigger] = [named?.identifier, about && `${about.blueprint}/${about.identifier}`];
  if (!agent) return { label, caller, question, lookedAt, trigger };
  const editors = await findEntityAuthors(deps.database, orgId, '_ai_agent', agent.identifier);
  label.addInstructions(editors, `the prompt of the agent ${agent.identifier}`);
  return { label, caller, question, lookedAt, trigger, agent: { prompt: agent.prompt, editors } };
}

function askingRun({ labels }: Invocation): string | undefined {
  const id = labels['_run_id'];
  return typeof id === 'string' ? id : undefined;
}
