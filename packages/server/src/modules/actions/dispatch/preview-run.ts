import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import type { StoredRun } from '../runs/run.ts';
import { type Rendered, renderInvocation, Unrenderable } from './render-invocation.ts';
import { nobodyBehind, runActor } from './run-actors.ts';
import { secretsFor } from './secrets-for.ts';
import { templateContext } from './template-context.ts';

/** What a run would send, with secrets masked, and what failed to render; or why it cannot be rendered at all. */
type Preview = Pick<Rendered, 'shown' | 'failures'> | { readonly problem: string };

/** Renders what a run would be handed to its backend with; nothing is stored or sent. */
export async function previewRun(deps: ActionsDeps, orgId: string, run: StoredRun): Promise<Preview> {
  const acting = await runActor(deps, orgId, run);
  if (!acting) return { problem: nobodyBehind(run) };
  const opened = createSecretScope();
  const actor = { ...acting, opened };
  const context = await templateContext(deps, actor, run);
  try {
    const { shown, failures } = renderInvocation(run, context, await secretsFor(deps, actor, run), deps.clock.now());
    return opened.mask({ shown, failures });
  } catch (error) {
    if (!(error instanceof Unrenderable)) throw error;
    return { problem: opened.maskText(error.message) };
  }
}
