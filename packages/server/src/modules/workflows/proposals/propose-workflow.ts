import { createHash } from 'node:crypto';
import type { WorkflowTest, WorkflowTestBody } from '@portolan/contract/workflow-test';
import type { Actor } from '../../../platform/actor.ts';
import { lockCount } from '../../../platform/db/count-lock.store.ts';
import { AppError } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { mergeAuthors, type TextAuthor, writtenBy } from '../../../platform/text-authors.ts';
import type { CallDecision, CallFacts } from '../../../platform/tools/call-decision.ts';
import type { ToolContext } from '../../../platform/tools/tool.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { assertSmall, holdActiveAgent } from '../../actions/index.ts';
import { isTrigger } from '../definitions/graph.ts';
import { getWorkflow } from '../definitions/read-workflows.ts';
import type { StoredWorkflow, WorkflowDefinition } from '../definitions/workflow.ts';
import { invalidWorkflow, validateWorkflow } from '../definitions/write-workflows.ts';
import { type TestDeps, testWorkflow } from '../testing/test-workflow.ts';
import { recordProposal, replaceOpenOnes } from './close-proposal.ts';
import { mayWrite } from './may-write.ts';
import { countOpenProposals, findProposalOfCall, insertProposal } from './proposal.store.ts';
import { type Proposal, proposalLimits } from './proposal.ts';

export type ProposeDeps = TestDeps & { readonly publicUrl: () => string };

export interface AskedProposal extends Pick<WorkflowTestBody, 'trigger' | 'sample' | 'pinned'> {
  readonly goal: string;
  readonly definition: Readonly<Record<string, unknown>>;
  readonly questions: readonly string[];
  /** The answer that it was drawn up of, and the authors of everything that the answer had read. */
  readonly origin?: { readonly invocation: string; readonly authors: readonly TextAuthor[] };
}

/**
 * Stores a workflow that a tool call drew up, or that was drawn up of a past answer, for a person to look at. It is checked as one that is saved, and gone
 * through with the sample where the caller may test workflows; nothing of it takes effect. An open proposal of the same
 * caller for the same workflow is replaced.
 * @throws AppError `invalid_workflow`, `invalid_request`, `payload_too_large`, `approval_required`, `limit_reached`
 */
export async function proposeWorkflow(
  deps: ProposeDeps,
  context: ToolContext,
  asked: AskedProposal,
): Promise<Omit<Proposal, 'key'>> {
  const { actor, invocation, signal } = context;
  assertSmall(asked.definition, '/workflow');
  assertSmall({ sample: asked.sample, pinned: asked.pinned }, '/sample');
  const verdict = await validateWorkflow(deps, actor, asked.definition);
  if (verdict.issues.length > 0) throw invalidWorkflow(verdict.issues);
  const base = await findBase(deps, actor, verdict.definition.identifier);
  const definition = unpublish(verdict.definition, base?.definition);
  const decision = await decide(context, definition);
  const { trigger, sample, pinned, origin } = asked;
  const body = { definition: definition as never, sample, pinned, ...(trigger === undefined ? {} : { trigger }) };
  const test = mayWrite(actor) ? shorten(await testWorkflow(deps, actor, body)) : null;
  if (signal.aborted) throw new AppError('invocation_cancelled', 'The call was cancelled');
  return deps.unitOfWork(actor, async (work) => {
    const { orgId } = actor;
    const before =
      invocation && (await findProposalOfCall(work.tx, orgId, { id: invocation.id, call: invocation.callId }));
    if (before) return before;
    const agent = invocation?.agent;
    if (agent !== undefined && !(await holdActiveAgent(work.tx, orgId, agent))) {
      throw new AppError('agent_inactive', `The agent "${agent}" is not active any more`);
    }
    const made: Omit<Proposal, 'key'> = {
      id: newId('wfp_'),
      state: 'OPEN',
      goal: asked.goal,
      identifier: definition.identifier,
      definition,
      workflowKey: base?.key ?? null,
      baseVersion: base?.version ?? null,
      // what others have is no secret of those who save workflows alone
      warnings: mayWrite(actor)
        ? verdict.warnings
        : verdict.warnings.filter(({ code }) => code !== 'unresolved_reference'),
      test,
      questions: asked.questions,
      invocation: invocation?.id ?? origin?.invocation ?? null,
      call: invocation?.callId ?? null,
      agent: agent ?? null,
      decision: decision ?? null,
      textAuthors: decision?.label ?? mergeAuthors(writtenBy(actor), origin?.authors ?? []),
      createdBy: actor.id,
      createdByKind: actor.kind,
      createdAt: work.now,
      expiresAt: new Date(work.now.getTime() + proposalLimits.days * 86_400_000),
      decidedAt: null,
      decidedBy: null,
      comment: null,
    };
    await makeRoom(work, made);
    if (!(await insertProposal(work.tx, orgId, made))) {
      throw new AppError('stale_version', 'The same call is being carried out already');
    }
    recordProposal(work, undefined, made);
    return made;
  });
}

/** The workflow that it would change; one that the caller may not see is none. */
async function findBase(deps: ProposeDeps, actor: Actor, identifier: string): Promise<StoredWorkflow | undefined> {
  return getWorkflow(deps, actor, identifier).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  });
}

/** A model publishes nothing: only triggers that are published already stay so. */
function unpublish(definition: WorkflowDefinition, base: WorkflowDefinition | undefined): WorkflowDefinition {
  const isPublished = (identifier: string, type: string) =>
    base?.nodes.some(
      ({ identifier: name, config }) => name === identifier && config.type === type && config['published'] !== false,
    ) ?? false;
  return {
    ...definition,
    nodes: definition.nodes.map((node) =>
      isTrigger(node) && !isPublished(node.identifier, node.config.type)
        ? { ...node, config: { ...node.config, published: false } }
        : node,
    ),
  };
}

/** What administrators call it in rules, and what nothing lets pass: it always waits for a person. */
export const proposingName = 'propose_workflow';

async function decide({ invocation }: ToolContext, definition: WorkflowDefinition): Promise<CallDecision | undefined> {
  if (!invocation) return undefined;
  const hash = createHash('sha256').update(JSON.stringify(definition)).digest('hex');
  const facts: CallFacts = {
    kind: 'workflow',
    identifier: proposingName,
    names: [],
    isDestructive: false,
    inputs: [{ key: 'workflow', value: `${definition.identifier} ${hash}`, form: 'text' }],
    hold: 'A person looks at a workflow before it is saved',
    needsApproval: true,
    mayMake: async () => false,
  };
  const decision = await invocation.decide(facts);
  if (decision.result === 'draft') return decision;
  throw new AppError('approval_required', decision.reason ?? 'Nothing is proposed here');
}

async function makeRoom(work: Work, { identifier, createdBy }: Omit<Proposal, 'key'>): Promise<void> {
  const { tx, actor, now } = work;
  await lockCount(tx, actor.orgId, 'workflow-proposals');
  await replaceOpenOnes(work, { createdBy, identifier });
  const { openPerCreator, openPerOrganization } = proposalLimits;
  if ((await countOpenProposals(tx, actor.orgId, { now, createdBy })) >= openPerCreator) {
    throw new AppError('limit_reached', `${openPerCreator} of your proposals wait already; have one decided on first`);
  }
  if ((await countOpenProposals(tx, actor.orgId, { now })) >= openPerOrganization) {
    throw new AppError('limit_reached', `${openPerOrganization} proposals wait already; have some decided on first`);
  }
}

/** Large outputs are kept by their beginning. */
function shorten(test: WorkflowTest): WorkflowTest {
  const short = <Value>(value: Value): Value | string => {
    const text = JSON.stringify(value) ?? 'null';
    const { outputCharacters } = proposalLimits;
    if (text.length <= outputCharacters) return value;
    return `${text.slice(0, outputCharacters)}… (${text.length} characters)`;
  };
  return {
    ...test,
    steps: test.steps.map((step) => ({
      ...step,
      input: short(step.input),
      output: short(step.output),
      changes: step.changes.map((change) => ({ ...change, before: short(change.before), after: short(change.after) })),
    })),
  };
}
