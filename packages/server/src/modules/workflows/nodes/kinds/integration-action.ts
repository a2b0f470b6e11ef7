import { NodeFailure } from '../node-failure.ts';
import type { NodeCall, NodeKind } from '../node-kind.ts';
import type { NodesDeps } from '../nodes.deps.ts';
import { type Rendered, renderSent } from '../render-node.ts';
import { type RunContext, runContext } from '../run-context.ts';
import { waitsForReport } from '../waits-for-report.ts';

export interface IntegrationCall extends Readonly<Record<string, unknown>> {
  readonly type: 'INTEGRATION_ACTION';
  readonly installationId: string;
  readonly integrationProvider: string;
  readonly integrationInvocationType: string;
  readonly integrationActionExecutionProperties: Readonly<Record<string, unknown>>;
}

/** Offers the step to the programs of an installation, and waits for their report. */
export function integrationActionKind(deps: NodesDeps): NodeKind {
  return {
    effect: 'outside',
    async send(call) {
      const context = await runContext(deps, call);
      const { shown, sent } = await renderIntegrationCall(deps, call, context);
      return waitsForReport(call, { installationId: sent.installationId, input: shown, raw: {} });
    },
  };
}

/** @throws NodeFailure unless it has every field that executors read: one that has not would spoil a whole claim */
export async function renderIntegrationCall(
  deps: Pick<NodesDeps, 'secrets'>,
  { node, actor, now }: NodeCall,
  context: RunContext,
): Promise<Rendered<IntegrationCall>> {
  const { integrationActionExecutionProperties: properties, onFailure: _, ...config } = node.config;
  const written = { ...config, integrationActionExecutionProperties: properties ?? {} };
  const { sent, shown, names } = await renderSent(deps, actor, written, context, now);
  for (const field of ['installationId', 'integrationProvider', 'integrationInvocationType'] as const) {
    const value = (sent as Readonly<Record<string, unknown>>)[field];
    if (typeof value !== 'string' || value === '') throw new NodeFailure(`"${field}" came to nothing`);
  }
  const given: unknown = sent.integrationActionExecutionProperties;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new NodeFailure('"integrationActionExecutionProperties" came to no object');
  }
  return { sent: sent as unknown as IntegrationCall, shown: shown as unknown as IntegrationCall, names };
}
