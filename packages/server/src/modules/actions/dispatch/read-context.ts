import type { Actor } from '../../../platform/actor.ts';
import { carrying } from '../../../platform/text-authors.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { addToRunLabel, findRunLabel } from '../runs/run.store.ts';
import type { StoredRun } from '../runs/run.ts';
import { type TemplateContext, templateContext } from './template-context.ts';

/** What a run is carried out with. */
interface ReadyRun {
  readonly context: TemplateContext;
  /** What it writes, starts and asks comes from everybody whose texts led to the run or stand in its context. */
  readonly actor: Actor;
}

/**
 * What templates of a run are given when it is carried out. Whatever is written or asked for the run from now on comes
 * from the authors of what they read too.
 */
export async function readContext(deps: ActionsDeps, actor: Actor, run: StoredRun): Promise<ReadyRun> {
  const { context, authors } = await templateContext(deps, actor, run);
  if (authors.length > 0) await deps.unitOfWork(actor, ({ tx }) => addToRunLabel(tx, actor.orgId, run.id, authors));
  const label = await findRunLabel(deps.database, actor.orgId, run.id);
  return { context, actor: label.length > 0 ? carrying(actor, label) : actor };
}
