import type { Actor } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { notingRefusals } from '../../../platform/noting-refusals.ts';
import { mergeAuthors } from '../../../platform/text-authors.ts';
import type { ToolContext } from '../../../platform/tools/tool.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { saveAuthority } from '../../accounts/index.ts';
import { assertSmall, decideToolCall, encryptedInputs, holdActiveAgent } from '../../actions/index.ts';
import type { DefinitionsDeps } from '../definitions/definitions.deps.ts';
import { nodeIn } from '../definitions/read-workflows.ts';
import { checkStart, triggerForm } from '../definitions/start-form.ts';
import { findCurrent, holdCurrent } from '../definitions/workflow.store.ts';
import type { StoredWorkflow, WorkflowNode } from '../definitions/workflow.ts';
import { findAskedByCall, insertAskedRun } from '../drafts/asked-run.store.ts';
import type { AskedRun } from '../drafts/asked-run.ts';
import { workflowRunUrl } from '../drafts/draft-url.ts';
import { beginAskedRun, hashOfStart, recordDraft } from '../drafts/store-asked-run.ts';
import { chooseTrigger, severalTriggers } from '../runs/start-run.ts';
import { formFacts } from './form-facts.ts';
import { openAddressIn } from './open-addresses.ts';

export interface ToolStartDeps extends DefinitionsDeps {
  readonly publicUrl: () => string;
}

/** The workflow behind a tool; with its id, so that another of the same name is not run instead. */
export interface FormTarget {
  readonly identifier: string;
  readonly id?: string;
  readonly node?: string | undefined;
}

export type StartTold =
  | { readonly mode: 'executed'; readonly runId: string; readonly status: string; readonly url: string }
  | { readonly mode: 'draft'; readonly runId: string; readonly url: string; readonly expiresAt: string };

interface StartAsked {
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Whether the call itself asks for a person's approval. */
  readonly asksForPerson?: boolean;
}

/** Days until a draft expires, as for actions. */
const draftDays = 7;

/**
 * Starts a workflow for a tool call, as the caller. Within an invocation it begins at once only where the rule for calls
 * lets it, which is the one that decides over actions; otherwise it becomes a draft. Rights, inputs and version are
 * checked now, whatever was listed before.
 * @throws AppError `not_found`, `missing_permissions`, `trigger_unpublished`, `invalid_request`, `approval_required`
 */
export async function startByTool(
  deps: ToolStartDeps,
  context: ToolContext,
  target: FormTarget,
  { inputs, asksForPerson = false }: StartAsked,
): Promise<StartTold> {
  const { actor, invocation, signal } = context;
  assertSmall(inputs, '/inputs');
  if (signal.aborted) throw new AppError('invocation_cancelled', 'The call was cancelled');
  for (;;) {
    const workflow = await findCurrent(deps.database, actor.orgId, target.identifier);
    if (!workflow || (target.id !== undefined && workflow.id !== target.id)) {
      throw notFound('Workflow', target.identifier);
    }
    const named = chooseTrigger(workflow, target.node);
    const { values, open, authors } = await notingRefusals(actor, (reading) =>
      checkStart(deps, reading, workflow, named ?? '', inputs, { isFilledByModel: true }),
    );
    if (named === undefined) throw severalTriggers(workflow);
    const node = nodeIn(workflow, named);
    if (open.length > 0) throw leftToPeople(deps, workflow, open);
    const hold = holdOf(workflow, node, values, asksForPerson && invocation !== undefined);
    const facts = () => formFacts(deps, actor, { workflow, node, values, given: inputs }, hold);
    const decided = await decideToolCall(context, { facts, isOpen: false });
    const origin = decided.draft ?? (asksForPerson ? { reason: askedToWait } : undefined);
    const asked = await deps.unitOfWork(actor, async (work) => {
      const held = await holdCurrent(work.tx, actor.orgId, target.identifier);
      if (!held) throw notFound('Workflow', target.identifier);
      // it changed after the check: check again
      if (held.versionId !== workflow.versionId) return undefined;
      const before =
        invocation && (await findAskedByCall(work.tx, actor.orgId, { id: invocation.id, call: invocation.callId }));
      if (before) return before;
      const agent = invocation?.agent;
      if (agent !== undefined && !(await holdActiveAgent(work.tx, actor.orgId, agent))) {
        throw new AppError('agent_inactive', `The agent "${agent}" is not active any more, so nothing was run`);
      }
      const id = newId('wfr_');
      const runsNow = origin === undefined;
      if (runsNow && decided.confirm && !(await decided.confirm(work.tx, { id, at: work.now }))) return undefined;
      const base: AskedRun = {
        ...toAsked(work, actor, workflow, { id, node: node.identifier, values }),
        state: runsNow ? 'STARTED' : 'DRAFT',
        invocation: invocation?.id ?? null,
        call: invocation?.callId ?? null,
        decision: decided.decision ?? null,
        textAuthors: mergeAuthors(decided.label ?? [], actor.carriedAuthors ?? [], authors),
      };
      const made = origin === undefined ? base : bindDraft(workflow, base, origin);
      if ((invocation || !runsNow) && !(await insertAskedRun(work.tx, actor.orgId, made))) {
        throw new AppError('stale_version', 'The same call is being carried out already');
      }
      if (runsNow) await beginAskedRun(work, workflow, made);
      else recordDraft(work, made, true);
      return made;
    });
    if (asked) return tell(deps, context, node, asked);
  }
}

const askedToWait = 'The call asked for a person to approve it';

/** Why it waits for a person in any case. */
function holdOf(
  workflow: StoredWorkflow,
  node: WorkflowNode,
  values: Readonly<Record<string, unknown>>,
  asksForPerson: boolean,
): string | undefined {
  const address = openAddressIn(workflow, node, values);
  if (address) return `It may send data to an address that its author did not fix: ${address}`;
  return asksForPerson ? askedToWait : undefined;
}

function leftToPeople({ publicUrl }: ToolStartDeps, workflow: StoredWorkflow, open: readonly string[]): AppError {
  const at = `${publicUrl().replace(/\/+$/, '')}/workflows/${encodeURIComponent(workflow.identifier)}/start`;
  const message = `Only a person fills in ${open.join(', ')}, which are encrypted: start it at ${at}`;
  return new AppError('approval_required', message);
}

function toAsked(
  work: Work,
  actor: Actor,
  workflow: StoredWorkflow,
  { id, node, values }: { readonly id: string; readonly node: string; readonly values: AskedRun['inputs'] },
): Omit<AskedRun, 'state' | 'invocation' | 'call' | 'decision' | 'textAuthors'> {
  return {
    id,
    workflowKey: workflow.key,
    workflowIdentifier: workflow.identifier,
    version: workflow.version,
    triggerNode: node,
    inputs: values,
    draft: null,
    requestedWith: saveAuthority(actor),
    depth: actor.depth ?? 0,
    causedBy: actor.runId ?? null,
    createdBy: actor.id,
    createdByKind: actor.kind,
    createdAt: work.now,
    expiresAt: null,
    decidedAt: null,
    decidedBy: null,
    comment: null,
  };
}

function bindDraft(
  workflow: StoredWorkflow,
  asked: AskedRun,
  { invocation, agent, reason }: NonNullable<Awaited<ReturnType<typeof decideToolCall>>['draft']>,
): AskedRun {
  const expiresAt = new Date(asked.createdAt.getTime() + draftDays * 86_400_000);
  const draft = {
    inputsHash: hashOfStart(workflow, asked),
    actionVersion: String(workflow.version),
    requester: asked.createdBy,
    ...(invocation === undefined ? {} : { invocation }),
    ...(agent === undefined ? {} : { agent }),
    ...(reason === undefined ? {} : { reason }),
    expiresAt: expiresAt.toISOString(),
  };
  return { ...asked, draft, expiresAt };
}

function tell(
  deps: ToolStartDeps,
  { requestApproval }: ToolContext,
  node: WorkflowNode,
  { id, draft, inputs, workflowIdentifier }: AskedRun,
): StartTold {
  const url = workflowRunUrl(deps, id);
  if (!draft) return { mode: 'executed', runId: id, status: 'IN_PROGRESS', url };
  const { inputsHash, expiresAt } = draft;
  const secret = new Set(encryptedInputs(triggerForm(node)));
  const properties = Object.fromEntries(
    Object.entries(inputs).map(([key, value]) => [key, secret.has(key) ? '******' : value]),
  );
  requestApproval?.({ runId: id, action: workflowIdentifier, entity: null, properties, inputsHash, url, expiresAt });
  return { mode: 'draft', runId: id, url, expiresAt };
}
