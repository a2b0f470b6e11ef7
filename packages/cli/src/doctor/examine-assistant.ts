import { getAiPolicy } from '@portolan/contract/ai-policy';
import type { Client } from '@portolan/contract/client';
import { listIntegrations } from '@portolan/contract/integrations';
import { listMcpServers, listMcpServerTools } from '@portolan/contract/mcp-servers';
import type { OperationAnswer } from '@portolan/contract/operation';
import { listSources } from '@portolan/contract/sources';
import { listWebhooks } from '@portolan/contract/webhooks';
import type { Arguments } from '../command.ts';
import { readAddress, readCredentials } from '../config.ts';
import { connectWith, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printable, table } from '../output.ts';
import { type CallsExamined, examineCalls } from './examine-calls.ts';

interface Finding {
  readonly name: 'policy' | 'servers' | 'sources' | 'standing' | 'runs';
  /** `open` is nothing wrong, but something to know. */
  readonly status: 'ok' | 'open';
  readonly message: string;
}

/**
 * Says what text of others can lead the assistant to, where what it reads can go, and whether its newest runs were
 * allowed to begin at once. Changes nothing.
 */
export async function examineAssistant(input: Arguments, context: Context): Promise<ExitCode> {
  const { value: url } = readAddress(input, context);
  const client = connectWith(readCredentials(input, context, url).value, url, context);
  const findings = await explained(url, async () => {
    const { policy } = await client.call(getAiPolicy, {});
    return [
      describePolicy(policy),
      await describeServers(client, policy),
      await describeSources(client, policy),
      ...describeCalls(await examineCalls(client)),
    ];
  });
  const isJson = input.flag('json');
  const rows = findings.map(({ status, name, message }) => [status === 'ok' ? 'ok' : '!', name, message]);
  context.out.write(isJson ? `${JSON.stringify({ findings })}\n` : printable(table([], rows), context.out));
  return exitCodes.ok;
}

type Policy = OperationAnswer<typeof getAiPolicy>['policy'];

function describePolicy({ injection, observedUntil }: Policy): Finding {
  if (injection === 'enforce')
    return { name: 'policy', status: 'ok', message: 'enforced: such calls wait for a person' };
  const until = observedUntil === null ? 'until somebody decides otherwise' : `until ${observedUntil}`;
  return { name: 'policy', status: 'open', message: `only observed ${until}: text of others can lead to actions` };
}

async function describeServers(client: Client, { risks }: Policy): Promise<Finding> {
  const { servers } = await client.call(listMcpServers, {});
  const reading: string[] = [];
  for (const { identifier } of servers.filter(({ enabled, tools }) => enabled && tools.offered > 0)) {
    const { tools } = await client.call(listMcpServerTools, { params: { server_identifier: identifier } });
    for (const { offeredAs, state, readOnly } of tools) {
      if (state !== 'approved' || !readOnly || risks[offeredAs] === 'never') continue;
      reading.push(risks[offeredAs] === 'open' ? `${offeredAs} (takes anything)` : offeredAs);
    }
  }
  if (reading.length === 0) return { name: 'servers', status: 'ok', message: 'no connected server has reading tools' };
  return { name: 'servers', status: 'open', message: `reading tools send their arguments away: ${named(reading)}` };
}

async function describeSources(client: Client, { trustedSources }: Policy): Promise<Finding> {
  const { integrations } = await client.call(listIntegrations, {});
  const { integrations: webhooks } = await client.call(listWebhooks, {});
  const { sources } = await client.call(listSources, {});
  const all = [
    ...integrations.map(({ installationId }) => `integration ${installationId}`),
    ...webhooks.map(({ identifier }) => `webhook ${identifier}`),
    ...sources.map(({ identifier }) => `source ${identifier}`),
  ];
  const trusted = new Set(trustedSources.map(({ kind, identifier }) => `${kind} ${identifier}`));
  const others = all.filter((each) => !trusted.has(each));
  const told = trusted.size > 0 ? `; trusted: ${named([...trusted])}` : '';
  if (others.length === 0) return { name: 'sources', status: 'ok', message: `none is untrusted${told}` };
  return { name: 'sources', status: 'open', message: `their text holds calls up: ${named(others)}${told}` };
}

function describeCalls({ holding, executed, broken }: CallsExamined): Finding[] {
  const approved = holding.map(({ agent, action, maxPerHour }) => `${agent} runs ${action} (${maxPerHour} an hour)`);
  return [
    holding.length === 0
      ? { name: 'standing', status: 'ok', message: 'no agent has a standing approval' }
      : { name: 'standing', status: 'open', message: `by themselves, whatever was read: ${named(approved)}` },
    broken.length === 0
      ? { name: 'runs', status: 'ok', message: `${executed} began at once, each by a rule that allows it` }
      : { name: 'runs', status: 'open', message: `should have waited for a person: ${named(broken)}` },
  ];
}

const namedMax = 10;

function named(names: readonly string[]): string {
  const more = names.length - namedMax;
  return `${names.slice(0, namedMax).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
