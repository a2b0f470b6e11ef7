import type { WorkflowRunDraft } from '@portolan/contract/workflow-drafts';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { notFound } from '../../../platform/errors.ts';
import { encryptedInputs, isDecider } from '../../actions/index.ts';
import type { DefinitionsDeps } from '../definitions/definitions.deps.ts';
import { triggerForm } from '../definitions/start-form.ts';
import { findCurrentByKey, findVersion } from '../definitions/workflow.store.ts';
import { findAskedRun, listDraftRows } from './asked-run.store.ts';
import type { AskedRun } from './asked-run.ts';
import { mayDecideOn, readStanding } from './draft-standing.ts';

const pageSize = 100;
const hidden = '••••••';

/**
 * A draft, if the caller made it, may decide on it, or is an administrator or a machine of the organization.
 * @throws AppError `not_found`
 */
export async function findDraft(deps: DefinitionsDeps, actor: Actor, id: string): Promise<AskedRun> {
  const asked = await findAskedRun(deps.database, actor.orgId, id);
  if (!asked?.draft || !(await maySeeDraft(deps, actor, asked))) throw notFound('Draft', id, 'id');
  return asked;
}

async function maySeeDraft(deps: DefinitionsDeps, actor: Actor, asked: AskedRun): Promise<boolean> {
  if (isAdmin(actor) || asked.createdBy === actor.id) return true;
  if (actor.kind === 'machine' && actor.userId === undefined && actor.boundTo === undefined) return true;
  return mayDecideOn(deps, actor, await findCurrentByKey(deps.database, actor.orgId, asked.workflowKey), asked);
}

/** Drafts that nobody has decided on, as far as the caller may see them, newest first. */
export async function listDrafts(
  deps: DefinitionsDeps,
  actor: Actor,
  { limit, isForMe }: { readonly limit: number; readonly isForMe: boolean },
): Promise<WorkflowRunDraft[]> {
  const found: WorkflowRunDraft[] = [];
  let before: number | undefined;
  for (;;) {
    const page = await listDraftRows(deps.database, actor.orgId, { before, limit: pageSize });
    for (const asked of page) {
      if (!(await maySeeDraft(deps, actor, asked))) continue;
      const draft = await presentDraft(deps, actor, asked);
      if (isForMe && !draft.mayDecide) continue;
      found.push(draft);
      if (found.length === limit) return found;
    }
    before = page.at(-1)?.key;
    if (page.length < pageSize) return found;
  }
}

/** @throws AppError `not_found` */
export async function getDraft(deps: DefinitionsDeps, actor: Actor, id: string): Promise<WorkflowRunDraft> {
  return presentDraft(deps, actor, await findDraft(deps, actor, id));
}

export async function presentDraft(deps: DefinitionsDeps, actor: Actor, asked: AskedRun): Promise<WorkflowRunDraft> {
  const { draft, decision } = asked;
  if (!draft) throw notFound('Draft', asked.id, 'id');
  const version = await findVersion(deps.database, actor.orgId, asked.workflowKey, asked.version);
  const node = version?.definition.nodes.find(({ identifier }) => identifier === asked.triggerNode);
  const form = node && triggerForm(node);
  const secret = new Set(form ? encryptedInputs(form) : Object.keys(asked.inputs));
  const isOpen = asked.state === 'DRAFT';
  const standing = isOpen ? await readStanding(deps, actor.orgId, asked) : undefined;
  const obstacle = standing && findObstacle(asked, standing, deps.clock.now());
  return {
    identifier: asked.id,
    state: asked.state,
    workflow: {
      identifier: asked.workflowIdentifier,
      title: version?.definition.title ?? null,
      version: asked.version,
    },
    nodeIdentifier: asked.triggerNode,
    userInputs: (form ?? { properties: {} }) as unknown as WorkflowRunDraft['userInputs'],
    inputs: Object.fromEntries(
      Object.entries(asked.inputs).map(([key, value]) => [key, secret.has(key) ? hidden : value]),
    ) as WorkflowRunDraft['inputs'],
    inputsHash: draft.inputsHash,
    reason: draft.reason ?? null,
    agent: draft.agent ?? null,
    invocation: draft.invocation ?? null,
    ...(decision ? { decision: decision as NonNullable<WorkflowRunDraft['decision']> } : {}),
    createdAt: asked.createdAt.toISOString(),
    createdBy: asked.createdBy,
    expiresAt: draft.expiresAt,
    decidedAt: asked.decidedAt?.toISOString() ?? null,
    decidedBy: asked.decidedBy,
    comment: asked.comment,
    mayDecide: standing !== undefined && isDecider(actor) && (await mayDecideOn(deps, actor, standing.workflow, asked)),
    ...(obstacle ? { obstacle } : {}),
  };
}

function findObstacle(
  { draft, version, createdBy }: AskedRun,
  { workflow, requesterMay }: Awaited<ReturnType<typeof readStanding>>,
  now: Date,
): string | undefined {
  if (workflow?.version !== version) return 'The workflow was changed or deleted since; ask for the run again';
  if (!requesterMay) return `"${createdBy}" may not start the workflow with these inputs any more`;
  if (draft && new Date(draft.expiresAt) <= now) return `The draft expired at ${draft.expiresAt}`;
  return undefined;
}
