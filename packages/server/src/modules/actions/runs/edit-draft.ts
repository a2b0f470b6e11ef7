import type { DraftBody } from '@portolan/contract/action-runs';
import { type Actor, openedFor } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { isSameJson } from '../../../platform/same-json.ts';
import { mergeAuthors, writtenBy } from '../../../platform/text-authors.ts';
import type { CallDecision } from '../../../platform/tools/call-decision.ts';
import { findAction, holdAction } from '../action.store.ts';
import { isSelfService } from '../action.ts';
import { encryptInputs } from '../inputs/encrypt-inputs.ts';
import { ended } from './decide-run.ts';
import { storeChangedRun } from './enter-run.ts';
import { plainInputs } from './plain-inputs.ts';
import { getRun, runMissing } from './read-runs.ts';
import { addToRunLabel, lockRun, rebindDraftRow } from './run.store.ts';
import type { StoredRun } from './run.ts';
import { buildDraft, checkRun, type StartDeps } from './start-run.ts';

/**
 * Changes inputs or entity of a draft. They are checked like a new draft by the editor with the current action; the
 * hash changes, so that decisions on the old content are refused.
 * @throws AppError `not_found`, `missing_permissions`, `run_ended`, `draft_expired`, `draft_changed`, `invalid_request`
 */
export async function editDraft(deps: StartDeps, actor: Actor, id: string, body: DraftBody): Promise<StoredRun> {
  const seen = await getRun(deps.database, actor, id);
  if (seen.status !== 'DRAFT') throw ended(seen);
  const action = await findAction(deps.database, actor.orgId, seen.actionIdentifier);
  if (!action || !isSelfService(action) || action.key !== seen.actionKey)
    throw notFound('Action', seen.actionIdentifier);
  const properties = body.properties ?? (await plainInputs(deps, actor, seen, action));
  const wanted = { properties, entity: body.entity ?? seen.entity };
  const checked = await checkRun(deps, actor, action, wanted);
  const clientSecret = await deps.secrets.signingSecretOf(actor.orgId, openedFor(actor));
  const encrypted = encryptInputs(action.definition.trigger.userInputs, checked.values, clientSecret);
  return deps.unitOfWork(actor, async (work) => {
    const run = await lockRun(work.tx, actor.orgId, id);
    if (!run) throw runMissing(id);
    if (run.status !== 'DRAFT' || !run.draft) throw ended(run);
    const held = await holdAction(work.tx, actor.orgId, action.key);
    if (held?.version !== action.version || run.draft.inputsHash !== seen.draft?.inputsHash) {
      throw new AppError('draft_changed', `The draft "${id}" was changed while you edited it. Read it again`);
    }
    if (new Date(run.draft.expiresAt) <= work.now) {
      throw new AppError('draft_expired', `The draft "${id}" expired at ${run.draft.expiresAt}`);
    }
    const snapshot = { id: action.id, version: action.version, definition: action.definition };
    const editedBy = [...new Set([...run.editedBy, actor.id])];
    const rebound = { ...run, action: snapshot, authority: action.authority, editedBy };
    const edited: StoredRun = { ...rebound, properties: encrypted, entity: checked.entity };
    // all inputs were checked, so nothing is missing
    const { missing: _, ...origin } = run.draft;
    const decision = run.decision && withEdited(run.decision, run, edited);
    const draft = { ...buildDraft(edited, origin, work.now), expiresAt: run.draft.expiresAt };
    // the editor's words are not the requester's
    const authors = mergeAuthors(actor.id === run.createdBy ? [] : writtenBy(actor), checked.authors);
    if (authors.length > 0) await addToRunLabel(work.tx, actor.orgId, id, authors);
    // the hash covers the current action, so the draft is bound to it
    await rebindDraftRow(work.tx, actor.orgId, edited);
    return storeChangedRun(work, deps.dispatch, rebound, {
      properties: encrypted,
      entity: checked.entity,
      draft,
      decision,
    });
  });
}

/** Values that a person changed come from that person. */
function withEdited(decision: CallDecision, before: StoredRun, after: StoredRun): CallDecision {
  const keys = Object.keys(after.properties).filter(
    (key) => !isSameJson(before.properties[key], after.properties[key]),
  );
  const changed = [...keys, ...(before.entity === after.entity ? [] : ['$entity'])];
  const origins = Object.fromEntries(changed.map((key) => [key, { from: 'person' as const }]));
  return { ...decision, origins: { ...decision.origins, ...origins } };
}
