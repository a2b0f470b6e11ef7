import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import type { StoredRun } from '../runs/run.ts';
import { type RenderedInvocation, renderInvocation, Unrenderable } from './render-invocation.ts';
import { nobodyBehind, runActor } from './run-actors.ts';
import { secretsFor } from './secrets-for.ts';
import { templateContext } from './template-context.ts';

/** The request that a run would send, secrets masked, with its failed expressions; or why it cannot be rendered. */
type Preview = Pick<RenderedInvocation, 'shown' | 'failures'> | { readonly problem: string };

/** Renders the request of a run without storing or sending anything. */
export async function previewRun(deps: ActionsDeps, orgId: string, run: StoredRun): Promise<Preview> {
  const acting = await runActor(deps, orgId, run);
  if (!acting) return { problem: nobodyBehind(run) };
  const opened = createSecretScope();
  const actor = { ...acting, opened };
  const { context } = await templateContext(deps, actor, run);
  try {
    const { shown, failures } = renderInvocation(run, context, await secretsFor(deps, actor, run), deps.clock.now());
    return opened.mask({ shown, failures });
  } catch (error) {
    if (!(error instanceof Unrenderable)) throw error;
    return { problem: opened.maskText(error.message) };
  }
}
