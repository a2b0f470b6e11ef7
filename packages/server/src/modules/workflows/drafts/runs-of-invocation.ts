import type { InvocationRun } from '@portolan/contract/invocation-answers';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import type { DefinitionsDeps } from '../definitions/definitions.deps.ts';
import { triggerForm } from '../definitions/start-form.ts';
import { publishedForms, startRights } from '../definitions/trigger-rights.ts';
import { listCurrent } from '../definitions/workflow.store.ts';
import { listProposalsFromInvocation } from '../proposals/proposal.store.ts';
import { isOpenAt } from '../proposals/proposal.ts';
import { findProposal } from '../proposals/read-proposals.ts';
import { findWorkflowRun } from '../runs/run.store.ts';
import { maySeeRun } from '../runs/run-rights.ts';
import { isDestructive } from '../tools/form-facts.ts';
import { formId, ruleName } from '../tools/trigger-name.ts';
import { findAskedRun, listAskedBy } from './asked-run.store.ts';
import type { AskedRun } from './asked-run.ts';
import { proposalUrl, workflowRunUrl } from './draft-url.ts';
import { findDraft } from './read-drafts.ts';

/** More than an invocation can create. */
const runsMax = 200;

/** Runs of workflows that an invocation started or proposed, as far as the caller may see them, in the order of calls. */
export async function listAskedOfInvocation(
  deps: DefinitionsDeps & { readonly publicUrl: () => string },
  actor: Actor,
  invocation: string,
): Promise<InvocationRun[]> {
  const shown: InvocationRun[] = [];
  for (const asked of await listAskedBy(deps.database, actor.orgId, invocation, runsMax)) {
    const run = await findWorkflowRun(deps.database, actor.orgId, asked.id);
    const isSeen = run ? await maySeeRun(deps.database, actor, run) : await maySee(deps, actor, asked);
    if (!isSeen) continue;
    const failed = run?.result === 'SUCCESS' ? 'SUCCESS' : 'FAILURE';
    const status =
      asked.state !== 'STARTED' ? asked.state : run?.status === 'COMPLETED' || !run ? failed : 'IN_PROGRESS';
    shown.push({
      runId: asked.id,
      action: asked.workflowIdentifier,
      entity: null,
      mode: asked.draft === null ? 'executed' : 'draft',
      status,
      toolCall: asked.call ?? '',
      url: workflowRunUrl(deps, asked.id),
    });
  }
  return [...shown, ...(await listProposed(deps, actor, invocation))];
}

/** Workflows that an invocation proposed, which stand beside its drafts. */
async function listProposed(
  deps: DefinitionsDeps & { readonly publicUrl: () => string },
  actor: Actor,
  invocation: string,
): Promise<InvocationRun[]> {
  const shown: InvocationRun[] = [];
  for (const proposal of await listProposalsFromInvocation(deps.database, actor.orgId, invocation, runsMax)) {
    const { id, state, identifier, call } = proposal;
    const isSeen = await findProposal(deps, actor, id).catch(() => undefined);
    if (!isSeen) continue;
    const isOpen = isOpenAt(proposal, deps.clock.now());
    shown.push({
      runId: id,
      action: identifier,
      entity: null,
      mode: 'draft',
      status: isOpen ? 'DRAFT' : state === 'ACCEPTED' ? 'SUCCESS' : 'DECLINED',
      toolCall: call ?? '',
      url: proposalUrl(deps, id),
    });
  }
  return shown;
}

async function maySee(deps: DefinitionsDeps, actor: Actor, asked: AskedRun): Promise<boolean> {
  return findDraft(deps, actor, asked.id).then(
    () => true,
    () => isAdmin(actor),
  );
}

/** Authors of the texts that led to a run of a workflow. */
export async function authorsOfRun(deps: DefinitionsDeps, orgId: string, id: string): Promise<readonly string[]> {
  const run = await findWorkflowRun(deps.database, orgId, id);
  return run?.textAuthors ?? (await findAskedRun(deps.database, orgId, id))?.textAuthors ?? [];
}

/** The forms that the actor may start workflows by, and which of them they may let an agent start by itself. */
export async function listStandingForms(deps: DefinitionsDeps, actor: Actor) {
  const rights = await startRights(deps, deps.database, actor);
  const forms = [];
  for (const workflow of await listCurrent(deps.database, actor.orgId)) {
    for (const node of publishedForms(workflow)) {
      if (!(await rights.mayStart(workflow, node))) continue;
      forms.push({
        id: formId(workflow, node.identifier),
        version: workflow.version,
        identifier: ruleName(workflow, node.identifier),
        title: workflow.definition.title ?? null,
        blueprint: null,
        isDestructive: isDestructive(workflow, node),
        inputs: Object.entries(triggerForm(node).properties).map(([key, { title }]) => ({
          key,
          title: typeof title === 'string' && title !== '' ? title : key,
        })),
        mayGive: isAdmin(actor),
      });
    }
  }
  return forms;
}
