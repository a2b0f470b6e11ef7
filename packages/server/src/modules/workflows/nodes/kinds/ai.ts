import type { Actor } from '../../../../platform/actor.ts';
import { limits } from '../../definitions/limits.ts';
import { askModel } from '../ask-model.ts';
import { NodeFailure } from '../node-failure.ts';
import type { NodeKind } from '../node-kind.ts';
import type { NodesDeps } from '../nodes.deps.ts';
import { renderShown } from '../render-node.ts';
import { runContext, withoutEncrypted } from '../run-context.ts';

/**
 * Asks the assistant or an agent, as whoever started the run, and waits for the answer. What a model does here fails
 * closed: its action tools make drafts, and without `tools` it only reads. Servers that it names add their tools, as far as
 * the asker and the agent may use them. Prompts hold no secrets and no encrypted inputs. The same node run never asks twice.
 */
export function aiKind(deps: NodesDeps): NodeKind {
  return {
    effect: 'outside',
    async send(call) {
      const { actor, run, now } = call;
      if (run.depth >= limits.depth) {
        throw new NodeFailure(`${run.depth} runs have started one another up to this one; it is taken for a loop`);
      }
      const context = withoutEncrypted(await runContext(deps, call), call);
      const { userPrompt, systemPrompt, tools, agentIdentifier, mcpServers, provider, model } = call.node.config;
      const input = renderShown(
        {
          userPrompt,
          ...(systemPrompt ? { systemPrompt } : {}),
          ...(tools ? { tools } : {}),
          ...(agentIdentifier === undefined ? {} : { agentIdentifier }),
          ...(Array.isArray(mcpServers) && mcpServers.length > 0 ? { mcpServers } : {}),
          ...(provider && model ? { provider, model } : {}),
        },
        context,
        now,
      ) as Readonly<Record<string, unknown>>;
      const caller: Actor = { ...actor, origin: 'AUTOMATION', depth: run.depth + 1 };
      return { ...(await askModel(deps, call, caller, input)), input };
    },
  };
}
