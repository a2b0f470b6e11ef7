import { logLevels } from '@portolan/contract/integration-reports';
import { testResourceBody } from '@portolan/contract/mapping-tests';
import { z } from 'zod';
import type { Actor } from '../../platform/actor.ts';
import { pageArguments, pageOfAll } from '../../platform/tools/page.ts';
import { type ToolDeclaration, tool } from '../../platform/tools/tool.ts';
import { integrationType, presentIntegration } from './integration.ts';
import type { IntegrationsDeps } from './integrations.deps.ts';
import { getIntegration, listIntegrations } from './read-integrations.ts';
import { listKinds } from './sync/examples.ts';
import { listLogs } from './sync/logs.ts';
import { listMetrics } from './sync/metrics.ts';
import { testMapping } from './test-mapping.ts';

const identifier = z.string().min(1).describe('Identifier of the integration (its installation id)');
const shared = { effect: 'read', scope: 'read:integrations', audience: 'builder' } as const;

export function integrationTools(deps: IntegrationsDeps): ToolDeclaration[] {
  return [listTool(deps), getTool(deps), mappingTool(deps), ...reportTools(deps)];
}

function listTool({ database }: IntegrationsDeps): ToolDeclaration {
  return tool({
    ...shared,
    name: 'list_integrations',
    title: 'List integrations',
    description: 'Lists the integrations that bring in data, each with its type and how its last resync went.',
    input: z.strictObject({ ...pageArguments }),
    run: async ({ actor }, input) => {
      const all = await listIntegrations(database, actor);
      const { items, ...page } = pageOfAll(all, ({ installationId }) => installationId, input);
      const integrations = items.map((each) => ({
        identifier: each.installationId,
        title: each.title,
        type: integrationType(each),
        version: each.version,
        resyncState: each.resyncState ?? {},
        updatedAt: each.updatedAt.toISOString(),
      }));
      return { ...page, integrations };
    },
  });
}

function getTool({ database, publicUrl }: IntegrationsDeps): ToolDeclaration {
  return tool({
    ...shared,
    name: 'get_integration',
    title: 'Get an integration',
    description: 'Returns one integration whole, with the mapping (config) by which its data become entities.',
    input: z.strictObject({ identifier }),
    run: async ({ actor }, input) => {
      const found = await getIntegration(database, actor, input.identifier);
      return { integration: presentIntegration(found, actor.orgId, publicUrl()) };
    },
  });
}

function mappingTool(deps: IntegrationsDeps): ToolDeclaration {
  return tool({
    ...shared,
    name: 'test_integration_mapping',
    title: 'Try a mapping on raw data',
    description:
      'Evaluates one resource of a mapping (selector.query and port.entity.mappings, JQ) on raw examples and returns the entities it would make, what failed and what the catalog would refuse; nothing is written. Without examples it takes those the integration sent for the kind.',
    input: testResourceBody,
    run: ({ actor }, input) => testMapping(deps, actor, input),
  });
}

function reportTools(deps: IntegrationsDeps): ToolDeclaration[] {
  const { database } = deps;
  return [
    tool({
      ...shared,
      name: 'get_integration_sync_metrics',
      title: 'Get the figures of a resync',
      description: 'Returns what each kind of one resync came to, the latest unless resyncId names another.',
      input: z.strictObject({ identifier, resyncId: z.string().min(1).max(1000).optional() }),
      run: async ({ actor }, input) => ({
        metrics: await listMetrics(database, actor, input.identifier, input.resyncId),
      }),
    }),
    tool({
      ...shared,
      name: 'get_integration_event_logs',
      title: 'Read the log of an integration',
      description:
        'Returns records of the log of an integration, newest first. For older ones give timestamp and logId of the last record you have.',
      input: z.strictObject({
        identifier,
        timestamp: z.iso.datetime({ offset: true }).optional().describe('`next.timestamp` of the answer before'),
        logId: z.string().min(1).max(200).optional().describe('`next.logId` of the answer before'),
        resyncId: z.string().min(1).max(1000).optional().describe('Only records of this resync'),
        levels: z.array(z.enum(logLevels)).max(5).optional(),
        limit: z.number().int().min(1).max(100).default(50).describe('How many at most'),
      }),
      run: ({ actor }, input) => readLogs(deps, actor, input),
    }),
    tool({
      ...shared,
      name: 'get_integration_kinds_with_examples',
      title: 'Get the kinds of an integration with raw data',
      description: 'Returns the kinds of data that an integration reads, with examples as they came.',
      input: z.strictObject({ identifier, kind: z.string().min(1).max(1000).optional().describe('Only this kind') }),
      run: async ({ actor }, input) => {
        const kinds = await listKinds(database, actor, input.identifier);
        const { kind } = input;
        return { kinds: kind === undefined ? kinds : { [kind]: kinds[kind] ?? { examples: [] } } };
      },
    }),
  ];
}

interface AskedLogs {
  readonly identifier: string;
  readonly timestamp?: string | undefined;
  readonly logId?: string | undefined;
  readonly resyncId?: string | undefined;
  readonly levels?: readonly string[] | undefined;
  readonly limit: number;
}

async function readLogs({ database }: IntegrationsDeps, actor: Actor, asked: AskedLogs) {
  const { identifier: name, resyncId, levels, ...place } = asked;
  const filter = { ...place, direction: 'down', eventId: resyncId, levels: levels ? [...levels] : undefined };
  const logs = await listLogs(database, actor, name, filter);
  const last = logs.at(-1);
  return {
    logs,
    ...(last && logs.length === asked.limit ? { next: { timestamp: last.timestamp, logId: last._id } } : {}),
  };
}
