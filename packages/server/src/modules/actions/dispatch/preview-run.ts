import { systemActor } from '../../../platform/actor.ts';
import { findOrganization } from '../../identity/index.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import type { StoredRun } from '../runs/run.ts';
import { type Rendered, renderInvocation, Unrenderable } from './render-invocation.ts';
import { templateContext } from './template-context.ts';

/** What a run would send, with secrets masked, and what failed to render; or why it cannot be rendered at all. */
type Preview = Pick<Rendered, 'shown' | 'failures'> | { readonly problem: string };

/** Renders what a run would be handed to its backend with; nothing is stored or sent. */
export async function previewRun(deps: ActionsDeps, orgId: string, run: StoredRun): Promise<Preview> {
  const organization = await findOrganization(deps.database, orgId);
  const context = await templateContext(deps, systemActor(orgId, organization?.model), run);
  try {
    const { shown, failures } = renderInvocation(run, context, await deps.secrets.secretsOf(orgId), deps.clock.now());
    return { shown, failures };
  } catch (error) {
    if (!(error instanceof Unrenderable)) throw error;
    return { problem: error.message };
  }
}
