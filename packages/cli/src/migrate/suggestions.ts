import type { Client } from '@portolan/contract/client';
import {
  applyUsersAndTeamsSuggestion,
  revertUsersAndTeamsSuggestion,
  type UsersAndTeamsSuggestion,
  verifyUsersAndTeams,
} from '@portolan/contract/users-and-teams';
import type { ManualItem } from '@portolan/team-references';
import { CliError, usageError } from '../cli-error.ts';
import type { Arguments } from '../command.ts';
import { connect, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { counted, oneLine, printable, table } from '../output.ts';

export const suggestionVerbs = ['verify', 'apply', 'revert'] as const;
export type SuggestionVerb = (typeof suggestionVerbs)[number];

interface VerifiedItem {
  readonly item: ManualItem;
  readonly state: 'done' | 'broken' | 'mentions';
  readonly applied: { readonly at: string } | null;
}

/** Lists the manual items of the migration, and applies or reverts their suggestions. */
export async function suggestions(
  verb: SuggestionVerb,
  input: Arguments,
  context: Context,
  named: readonly string[],
): Promise<ExitCode> {
  const isAll = input.flag('all');
  if (verb === 'verify' && named.length > 0) throw usageError('verify takes no items.');
  if (verb !== 'verify' && named.length > 0 === isAll)
    throw usageError(`Name items, or --all: migrate ${verb} <item>. migrate verify lists them.`);
  const { client, address } = connect(input, context);
  if (verb === 'verify') return verify(input, context, await explained(address, () => read(client)));
  const ids = isAll ? await explained(address, async () => due(verb, await read(client))) : named;
  let failures = 0;
  for (const id of ids) {
    try {
      const suggestion = await explained(address, () => write(client, verb, id, input.flag('dry-run')));
      context.out.write(
        printable(input.flag('json') ? `${JSON.stringify(suggestion)}\n` : told(suggestion), context.out),
      );
    } catch (error) {
      // with `--all`, a suggestion refused because of a manual change does not stop the others
      if (!isAll || !isRefusal(error)) throw error;
      failures += 1;
      context.err.write(printable(`${id}: ${error.message}\n`, context.err));
    }
  }
  const done = { apply: input.flag('dry-run') ? 'to apply' : 'applied', revert: 'taken back' }[verb];
  if (isAll) context.err.write(`${counted(ids.length - failures, 'suggestion')} ${done}, ${failures} refused.\n`);
  return failures > 0 ? exitCodes.failed : exitCodes.ok;
}

async function read(client: Client): Promise<readonly VerifiedItem[]> {
  const { verification } = await client.call(verifyUsersAndTeams);
  return verification.items as unknown as VerifiedItem[];
}

/**
 * The items of `--all`: for apply, those that would break and have a suggestion; for revert, the applied ones, last
 * first.
 */
function due(verb: 'apply' | 'revert', items: readonly VerifiedItem[]): string[] {
  const chosen =
    verb === 'revert'
      ? items.filter(({ applied }) => applied).sort((a, b) => appliedAtMs(b) - appliedAtMs(a))
      : items.filter(({ item, state, applied }) => {
          const isBroken = state === 'broken' && item.verdict === 'breaks';
          return isBroken && item.suggestion !== undefined && !item.suggestion.isPartial && !applied;
        });
  return chosen.map(({ item }) => item.id);
}

const appliedAtMs = ({ applied }: VerifiedItem): number => (applied ? Date.parse(applied.at) : 0);

async function write(
  client: Client,
  verb: 'apply' | 'revert',
  item_id: string,
  isDryRun: boolean,
): Promise<UsersAndTeamsSuggestion> {
  const params = { item_id };
  const { suggestion } =
    verb === 'revert'
      ? await client.call(revertUsersAndTeamsSuggestion, { params })
      : await client.call(applyUsersAndTeamsSuggestion, { params, query: { dry_run: isDryRun } });
  return suggestion;
}

/** An applied item can still be broken if its suggestion was partial. */
function describeState(applied: VerifiedItem['applied'], state: VerifiedItem['state']): string {
  if (!applied) return state;
  return state === 'broken' ? 'applied, broken' : 'applied';
}

function verify(input: Arguments, context: Context, items: readonly VerifiedItem[]): ExitCode {
  const rows = items.map(({ item, state, applied }) => [
    item.id,
    describeState(applied, state),
    item.suggestion ? 'suggestion' : 'by hand',
    `${item.resource.kind} ${item.resource.identifier} ${item.pointer}`,
  ]);
  const text = input.flag('json') ? `${JSON.stringify({ items })}\n` : table([], rows);
  context.out.write(printable(text, context.out));
  return items.some(({ state }) => state === 'broken') ? exitCodes.failed : exitCodes.ok;
}

function told({ resource, changes }: UsersAndTeamsSuggestion): string {
  const lines = changes.map(
    ({ pointer, before, after }) =>
      `${resource.kind} ${resource.identifier} ${pointer}: ${short(before)} -> ${short(after)}\n`,
  );
  return lines.join('');
}

const short = (value: unknown): string => oneLine(JSON.stringify(value) ?? 'null', 80);

const isRefusal = (error: unknown): error is CliError =>
  error instanceof CliError && error.exitCode === exitCodes.failed;
