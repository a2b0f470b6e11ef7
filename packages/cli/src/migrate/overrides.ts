import type { Client } from '@portolan/contract/client';
import {
  chooseForUsersAndTeams,
  planUsersAndTeams,
  type UsersAndTeamsChoices,
} from '@portolan/contract/users-and-teams';
import { usageError } from '../cli-error.ts';
import type { Arguments } from '../command.ts';
import { connect, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printable } from '../output.ts';

/** Shows the decisions made before the migration and applies the changes from the options; other decisions stay. */
export function overrides(input: Arguments, context: Context): Promise<ExitCode> {
  const identifiers = input.list('identifier').map((text) => parsePair('identifier', text));
  const duplicates = input.list('duplicate').map((text) => parsePair('duplicate', text));
  const nameless = identifiers.find(([, identifier]) => identifier === '');
  if (nameless) throw usageError(`--identifier "${nameless[0]}=" names no identifier. --forget takes a choice back.`);
  const forgotten = new Set(input.list('forget'));
  const { client, address } = connect(input, context);
  return explained(address, async () => {
    const before = (await client.call(planUsersAndTeams)).plan.choices;
    const isAsked = identifiers.length + duplicates.length + forgotten.size > 0;
    const choices = isAsked
      ? await choose(client, {
          ...before,
          identifiers: { ...without(before.identifiers, forgotten), ...Object.fromEntries(identifiers) },
          duplicates: {
            ...without(before.duplicates, forgotten),
            // null discards the decision: the title then means none of the teams
            ...Object.fromEntries(duplicates.map(([title, identifier]) => [title, identifier || null])),
          },
        })
      : before;
    const text = input.flag('json') ? `${JSON.stringify({ choices })}\n` : choicesText(choices);
    context.out.write(printable(text, context.out));
    return exitCodes.ok;
  });
}

async function choose(client: Client, body: UsersAndTeamsChoices): Promise<UsersAndTeamsChoices> {
  return (await client.call(chooseForUsersAndTeams, { body })).choices;
}

/** Parses `Payments Core=payments` at the last `=`: titles may contain one, identifiers rarely do. */
function parsePair(option: string, text: string): [title: string, identifier: string] {
  const at = text.lastIndexOf('=');
  if (at < 1) throw usageError(`--${option} wants <title>=<identifier>, not "${text}".`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function without<Value>(choices: Readonly<Record<string, Value>> = {}, titles: ReadonlySet<string>) {
  return Object.fromEntries(Object.entries(choices).filter(([title]) => !titles.has(title)));
}

function choicesText({ identifiers = {}, duplicates = {} }: UsersAndTeamsChoices): string {
  const lines = [
    ...Object.entries(identifiers).map(([title, identifier]) => `"${title}" gets the identifier ${identifier}\n`),
    ...Object.entries(duplicates).map(([title, identifier]) => `"${title}" means ${identifier ?? 'no team'}\n`),
  ];
  return lines.length === 0 ? 'Nothing was decided.\n' : lines.join('');
}
