import type { Actor } from '../../../platform/actor.ts';
import { createTextsRead } from '../../../platform/texts-read.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { addToRunLabel } from '../runs/run.store.ts';
import type { StoredRun } from '../runs/run.ts';
import { type TemplateContext, templateContext } from './template-context.ts';

/**
 * What templates of a run are given when it is carried out. Whatever is written or asked for the run from now on comes
 * from the authors of what they read too.
 */
export async function readContext(deps: ActionsDeps, actor: Actor, run: StoredRun): Promise<TemplateContext> {
  const textsRead = createTextsRead();
  const context = await templateContext(deps, { ...actor, textsRead }, run);
  const authors = [...textsRead.places.keys()];
  if (authors.length > 0) await deps.unitOfWork(actor, ({ tx }) => addToRunLabel(tx, actor.orgId, run.id, authors));
  return context;
}
