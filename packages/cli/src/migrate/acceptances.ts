import type { Client } from '@portolan/contract/client';
import { acceptUsersAndTeamsSuggestions, planUsersAndTeams } from '@portolan/contract/users-and-teams';
import type { ManualItem } from '@portolan/team-references';
import { CliError, usageError } from '../cli-error.ts';
import type { Arguments } from '../command.ts';
import { connect, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { counted, printable } from '../output.ts';

export const acceptanceVerbs = ['accept', 'withdraw'] as const;
export type AcceptanceVerb = (typeof acceptanceVerbs)[number];

/** The server's limit per request. */
const atOnce = 100;

/**
 * Accepts suggestions of the plan, which the migration then writes, or withdraws the acceptance. `--all` selects what
 * would break and has a complete suggestion; removals and partial suggestions have to be named one by one.
 */
export async function acceptances(
  verb: AcceptanceVerb,
  input: Arguments,
  context: Context,
  named: readonly string[],
): Promise<ExitCode> {
  const isAll = input.flag('all');
  if (named.length > 0 === isAll)
    throw usageError(`Name items, or --all: migrate ${verb} <item>. migrate plan --json lists them under manual.`);
  const { client, address } = connect(input, context);
  return explained(address, async () => {
    const { plan } = await client.call(planUsersAndTeams);
    const items = plan.manual as unknown as ManualItem[];
    const ids = isAll ? (verb === 'accept' ? safe(items) : plan.accepted.map(({ itemId }) => itemId)) : named;
    let accepted = plan.accepted;
    for (let at = 0; at < ids.length; at += atOnce) {
      accepted = await send(client, verb, ids.slice(at, at + atOnce), items);
    }
    const text = input.flag('json')
      ? `${JSON.stringify({ accepted })}\n`
      : `${counted(accepted.length, 'suggestion')} accepted, to be written right after the flip.\n`;
    context.out.write(printable(text, context.out));
    return exitCodes.ok;
  });
}

function safe(items: readonly ManualItem[]): string[] {
  return items.flatMap(({ id, verdict, suggestion }) =>
    verdict === 'breaks' && suggestion && suggestion.value !== null && !suggestion.isPartial ? [id] : [],
  );
}

async function send(client: Client, verb: AcceptanceVerb, ids: readonly string[], items: readonly ManualItem[]) {
  const body = verb === 'withdraw' ? { withdraw: [...ids] } : { accept: ids.map((id) => seen(id, items)) };
  return (await client.call(acceptUsersAndTeamsSuggestions, { body })).accepted;
}

function seen(itemId: string, items: readonly ManualItem[]) {
  const suggestion = items.find(({ id }) => id === itemId)?.suggestion;
  if (!suggestion) throw new CliError(exitCodes.failed, 'not_found', `Nothing is suggested for "${itemId}".`);
  return { itemId, value: suggestion.value as never };
}
