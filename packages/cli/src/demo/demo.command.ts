import type { Client } from '@portolan/contract/client';
import {
  createDemoOrganization,
  type DemoOrganization,
  getDemoOrganization,
  removeDemoOrganization,
} from '@portolan/contract/demo-organization';
import { usageError } from '../cli-error.ts';
import type { Arguments, Command } from '../command.ts';
import { connectionOptions } from '../config.ts';
import { connect, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printable } from '../output.ts';

export const demoCommand: Command = {
  name: 'demo',
  summary: 'Add, show and remove the demo organization beside your own',
  usage: ['demo add [options]', 'demo show [options]', 'demo remove --confirm <name> [options]'],
  details: ['The demo is an organization of its own: nothing of it appears in yours.'],
  options: {
    confirm: { type: 'string', placeholder: 'name', description: 'remove: the name of the demo organization' },
    json: { type: 'boolean', description: 'print JSON' },
    ...connectionOptions,
  },
  examples: ['demo add', 'demo remove --confirm "Halyard Freight"'],
  run,
};

async function run(input: Arguments, context: Context): Promise<ExitCode> {
  const [verb = '', ...rest] = input.words;
  const act = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!act) throw usageError(`"demo ${verb}" is not known. There are: ${Object.keys(verbs).join(', ')}.`);
  if (rest.length > 0) throw usageError(`"${rest[0]}" is one word too many. Names with spaces need quotes.`);
  const prepared = act(input);
  const { client, address } = connect(input, context);
  const { demo, text } = await explained(address, () => prepared(client));
  context.out.write(input.flag('json') ? `${JSON.stringify({ demo })}\n` : printable(`${text}\n`, context.out));
  return exitCodes.ok;
}

interface CommandResult {
  readonly demo: DemoOrganization | null;
  readonly text: string;
}

/** Parses the call first, so that a mistake sends nothing. */
type Verb = (input: Arguments) => (client: Client) => Promise<CommandResult>;

const verbs: Readonly<Record<string, Verb>> = {
  add: () => async (client) => {
    const { demo } = await client.call(createDemoOrganization);
    return { demo, text: `${demo.name} is there (${demo.id}). Enter it in the user menu of the portal.` };
  },
  show: () => async (client) => {
    const { demo, isOffered } = await client.call(getDemoOrganization);
    if (demo) return { demo, text: `${demo.name} (${demo.id})${demo.isBeingRemoved ? ', being removed' : ''}` };
    const next = isOffered ? ' "portolan demo add" makes one.' : '';
    return { demo, text: `There is no demo beside this organization.${next}` };
  },
  remove: (input) => {
    const confirm = input.text('confirm');
    if (!confirm) {
      throw usageError(
        'This removes the demo with everything in it. Repeat it with --confirm and the name of the demo.',
      );
    }
    return async (client) => {
      const { demo } = await client.call(removeDemoOrganization, { query: { confirm } });
      return { demo, text: `${demo.name} is removed. Its data is being deleted.` };
    };
  },
};
