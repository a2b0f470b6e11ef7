import type { Client } from '@portolan/contract/client';
import {
  getUsersAndTeams,
  planUsersAndTeams,
  rehearseUsersAndTeams,
  startUsersAndTeams,
  undoUsersAndTeams,
} from '@portolan/contract/users-and-teams';
import type { Arguments } from '../command.ts';
import { connect, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { follow } from '../follow.ts';
import { printable } from '../output.ts';
import { planText, rehearsalText, type State, stateText } from './migration-text.ts';

export const migrationVerbs = ['plan', 'rehearse', 'start', 'status', 'rollback'] as const;
export type MigrationVerb = (typeof migrationVerbs)[number];

/** Plans, rehearses, starts, shows or undoes the organization's migration, which runs on the server. */
export function runMigration(verb: MigrationVerb, input: Arguments, context: Context): Promise<ExitCode> {
  const { client, address } = connect(input, context);
  return explained(address, () => run(verb, client, input, context));
}

async function run(verb: MigrationVerb, client: Client, input: Arguments, context: Context): Promise<ExitCode> {
  const print = (answer: object, text: string): void =>
    void context.out.write(printable(input.flag('json') ? `${JSON.stringify(answer)}\n` : text, context.out));
  switch (verb) {
    case 'plan': {
      const answer = await client.call(planUsersAndTeams);
      print(answer, planText(answer.plan));
      return (answer.plan.blockers ?? []).length > 0 ? exitCodes.failed : exitCodes.ok;
    }
    case 'rehearse': {
      const answer = await client.call(rehearseUsersAndTeams);
      print(answer, rehearsalText(answer.rehearsal));
      const { gained, lost } = answer.rehearsal;
      return gained.length + lost.length > 0 ? exitCodes.failed : exitCodes.ok;
    }
    default: {
      const state = await settled(verb, client, input, context);
      if (state === undefined) return exitCodes.interrupted;
      print(state, stateText(state));
      return isBad(verb, state) ? exitCodes.failed : exitCodes.ok;
    }
  }
}

/** The state after the verb has finished; undefined if interrupted. */
async function settled(
  verb: 'start' | 'status' | 'rollback',
  client: Client,
  input: Arguments,
  context: Context,
): Promise<State | undefined> {
  const read = (): Promise<State> => client.call(getUsersAndTeams);
  if (verb === 'status') return read();
  const begun: State = await client.call(verb === 'start' ? startUsersAndTeams : undoUsersAndTeams);
  if (input.flag('detach')) return begun;
  return follow(context, await read(), {
    isOver: ({ status }) => status !== 'PENDING' && status !== 'RUNNING',
    textOf: stateText,
    read,
  });
}

/** A rollback that could not be done leaves the status COMPLETED. */
function isBad(verb: MigrationVerb, { status }: State): boolean {
  return status === 'FAILED' || status === 'BLOCKED' || (verb === 'rollback' && status === 'COMPLETED');
}
