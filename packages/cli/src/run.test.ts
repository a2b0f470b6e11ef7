import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { createTestContext } from '../test/test-context.ts';
import { commands } from './commands.ts';
import { run } from './run.ts';

async function call(...given: string[]) {
  const { context, out, err } = createTestContext({ input: '{"a":[1,{"b":2}]}' });
  return { code: await run(given, context), out: out(), err: err() };
}

const overview = `portolan: the command line of the Portolan developer portal

Usage: portolan <command> [options]

Commands:
  ask             Ask the assistant about the catalog; the answer is printed as it comes
  backup          Take a backup of the installation, or verify one
  budget          List budgets of the assistant, with what is used and what to expect
  chat            Talk with the assistant; follow-ups know what was said before
  demo            Add, show and remove the demo organization beside your own
  distribute      Distribute the database over the workers of Citus, by organization
  doctor          Check the server, the credentials and the model, and say what to do
  eval            Ask questions with known answers, and compare models, prompts and agents
  export          Write blueprints, entities, actions and pages as JSON lines
  import          Plan and apply a table, or blueprints, entities, actions and pages from JSON lines
  jq              Evaluate a jq expression on stdin, as the server runs it
  memory          List, show and forget your own notes for the assistant
  migrate         Move users and teams to blueprints, here and in what is kept in files
  migrate-data    Map all entities of a blueprint, try that first, follow it, undo it
  org             List, create, show, delete and move organizations, as the operator
  pack            List, preview, install and remove starter models
  report          List every reference to teams, before users and teams become blueprints
  restore         Restore a backup into an empty database, or verify a restored one
  source          List, add, check, plan, sync and remove the sources that Portolan reads itself
  start           Start the server in this folder
  upgrade         Check, rehearse and finish an upgrade to this release
  workflow        List, pull, compare, check, apply, run and pause workflows
  help [command]  Show this text, or all about a command
  --version       Show the version

Connection: --url, --client-id and --client-secret, or PORTOLAN_URL, PORTOLAN_CLIENT_ID and
PORTOLAN_CLIENT_SECRET; else http://127.0.0.1:3000 (PORT) with the secrets of the data folder
(.portolan, or PORTOLAN_DATA_DIR) in the working directory.

Exit codes (jq has its own):
  0    done
  1    the server refused or failed, or the invocation failed; of eval, a gate failed
  2    called wrongly; nothing was sent; of eval, it could not be set up; of workflow diff, they differ
  3    the server cannot be reached or is not ready
  4    no credentials, wrong ones, or a missing permission
  5    an import or data migration did only a part, or its plan has problems
  130  interrupted with Ctrl-C
`;

test.each([['help'], ['--help'], ['-h']])('%s shows every command and exit code', async (word) => {
  expect(await call(word)).toEqual({ code: 0, out: overview, err: '' });
});

test('nothing at all shows the same on stderr and counts as a wrong call', async () => {
  expect(await call()).toEqual({ code: 2, out: '', err: overview });
});

test('help of a command shows its forms, options and examples, by either way', async () => {
  const help = `Check the server, the credentials and the model, and say what to do.

Usage:
  portolan doctor [options]

The model is the one of the newest invocation. With --ask the assistant is asked a word first, which uses one
invocation of the quota and proves that the model answers. The exit code is that of the first check that failed.

Options:
  --ask                     ask the assistant one short question
  --assistant               say what text of others can lead the assistant to, and where what it reads can go
  --derived                 compute all derived values anew, as the operator, and show what differs
  --installation            say, as the operator, what of the database, queues, backups and moves needs attention
  --json                    print JSON
  --url <address>           the server; else PORTOLAN_URL, else port PORT (3000)
  --client-id <id>          else PORTOLAN_CLIENT_ID, else the data folder’s
  --client-secret <secret>  else PORTOLAN_CLIENT_SECRET, else the data folder’s
`;
  expect(await call('help', 'doctor')).toEqual({ code: 0, out: help, err: '' });
  expect(await call('doctor', '--help')).toEqual({ code: 0, out: help, err: '' });
});

test.each(commands.map(({ name }) => name))('%s has a help', async (name) => {
  const { code, out } = await call(name, '--help');
  expect(code).toBe(0);
  expect(out).toContain(`portolan ${name} `);
});

test('--version is the version of the package', async () => {
  expect(await call('--version')).toEqual({ code: 0, out: `${manifest.version}\n`, err: '' });
});

test.each(['reports', 'migration', 'constructor'])('%s, which is not there, is refused with what is', async (name) => {
  const err = `portolan: usage: There is no command "${name}". There are: ask, backup, budget, chat, demo, distribute, doctor, eval, export, import, jq, memory, migrate, migrate-data, org, pack, report, restore, source, start, upgrade, workflow, help.\n`;
  expect(await call(name)).toEqual({ code: 2, out: '', err });
});

test('what nobody expected is not swallowed', async () => {
  const broken = {
    name: 'broken',
    summary: '',
    usage: [],
    options: {},
    run: () => Promise.reject(new RangeError('x')),
  };
  await expect(run(['broken'], createTestContext().context, [broken])).rejects.toThrow(RangeError);
});

test('jq prints each output as compact JSON on its own line', async () => {
  expect(await call('jq', '.a[]')).toEqual({ code: 0, out: '1\n{"b":2}\n', err: '' });
});

test('jq takes an expression that looks like an option', async () => {
  expect((await call('jq', '-(.a | length)')).out).toBe('-2\n');
});

test('jq explains an expression without an input', async () => {
  expect(await call('jq', '--explain', '.a')).toMatchObject({ code: 0, err: '' });
});

test.each(['{', '.a.b', 'error("no")'])('jq %s ends with an error on one line', async (expression) => {
  const { code, err } = await call('jq', expression);
  expect(code).not.toBe(0);
  expect(err).toMatch(/^jq: error: .+\n$/);
});
