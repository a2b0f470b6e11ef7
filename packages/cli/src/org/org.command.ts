import type { Client } from '@portolan/contract/client';
import type { OperationAnswer } from '@portolan/contract/operation';
import {
  createOrganization,
  cutoverStage,
  deleteOrganization,
  getOrganization,
  listOrganizations,
  organizationModel,
  planName,
} from '@portolan/contract/operator';
import { usageError } from '../cli-error.ts';
import type { Arguments, Command } from '../command.ts';
import { addressOptions } from '../config.ts';
import { connectAsOperator, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printable, table } from '../output.ts';
import { isMove, type Move, moveOptions, moveOrganization, moves } from './move-organization.ts';

type Organization = OperationAnswer<typeof getOrganization>['organization'];

const models = organizationModel.options;
const plans = planName.options;
const stages = cutoverStage.options;

export const orgCommand: Command = {
  name: 'org',
  summary: 'List, create, show, delete and move organizations, as the operator',
  usage: [
    'org list',
    'org create <name> [options]',
    'org show <id>',
    'org delete <id> --yes',
    'org export <id> --to <file|-> --passphrase-file <file> --data-dir <folder> | --database <url> [--freeze]',
    'org import <file> --passphrase-file <file> --data-dir <folder> | --database <url> [--dry-run]',
    'org verify <file> [--passphrase-file <file>]',
    'org freeze|thaw <id> --data-dir <folder> | --database <url>',
  ],
  details: [
    'Needs the operator token: PORTOLAN_OPERATOR_TOKEN, else the data folder’s.',
    'export and import move one organization whole to another installation, on either engine. They work on the database, with',
    'PORTOLAN_MASTER_KEY or the data folder’s. PostgreSQL may be served meanwhile; of a data folder, stop the server first.',
  ],
  options: {
    model: { type: 'string', placeholder: 'model', description: `create: ${models.join(', ')} (blueprints)` },
    plan: { type: 'string', placeholder: 'plan', description: `create: ${plans.join(', ')}` },
    stage: { type: 'string', placeholder: 'stage', description: `create: ${stages.join(', ')}` },
    yes: { type: 'boolean', description: 'delete: the organization and everything in it, for good' },
    ...moveOptions,
    json: { type: 'boolean', description: 'print JSON' },
    ...addressOptions,
  },
  examples: [
    'org create "Acme Logistics" --plan standard',
    'org list --json',
    'org export org_b4MAqAOVaBCO5uHH --to acme.pto --passphrase-file passphrase --data-dir .portolan',
    'org import acme.pto --passphrase-file passphrase --database "$DATABASE_URL"',
  ],
  run,
};

async function run(input: Arguments, context: Context): Promise<ExitCode> {
  const [verb = '', subject, ...rest] = input.words;
  const act = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!act && !isMove(verb)) {
    throw usageError(`"org ${verb}" is not known. There are: ${[...Object.keys(verbs), ...moves].join(', ')}.`);
  }
  if (rest.length > 0) throw usageError(`"${rest[0]}" is one word too many. Names with spaces need quotes.`);
  if (!act) return moveOrganization(verb as Move, subject, input, context);
  const prepared = act(input, subject);
  const { client, address } = connectAsOperator(input, context);
  const { json, text } = await explained(address, () => prepared(client), 'operator');
  context.out.write(input.flag('json') ? `${JSON.stringify(json)}\n` : printable(text, context.out));
  return exitCodes.ok;
}

/** The result of a verb, for programs and for people. */
interface CommandResult {
  readonly json: object;
  readonly text: string;
}

/** Parses the call first, so that a mistake sends nothing. */
type Verb = (input: Arguments, subject: string | undefined) => (client: Client) => Promise<CommandResult>;

const verbs: Readonly<Record<string, Verb>> = {
  list: () => async (client) => {
    const organizations = await listAll(client);
    const rows = organizations.map(({ id, name, model, plan, cutover, createdAt }) => {
      return [id, name, model, cutover.stage, plan, createdAt.slice(0, 10)];
    });
    return { json: { organizations }, text: table(['ID', 'NAME', 'MODEL', 'STAGE', 'PLAN', 'CREATED'], rows) };
  },
  create: (input, name) => {
    if (!name) throw usageError('Name the organization: portolan org create "Acme Logistics"');
    const model = oneOf('model', models, input);
    const plan = oneOf('plan', plans, input);
    const stage = oneOf('stage', stages, input);
    const body = { name, ...(model && { model }), ...(plan && { plan }), ...(stage && { cutover: { stage } }) };
    return async (client) => {
      const { organization, credentials } = await client.call(createOrganization, { body });
      const secrets = table(
        [],
        [
          ['client id', credentials.clientId],
          ['client secret', credentials.clientSecret],
        ],
      );
      const text = `${described(organization)}\nShown once, and never again:\n${secrets}`;
      return { json: { organization, credentials }, text };
    };
  },
  show: (_input, id) => async (client) => {
    const params = { organization_id: required(id) };
    const { organization, milestones } = await client.call(getOrganization, { params });
    const reached = Object.entries(milestones).map(([milestone, at]) => [`first ${milestone}`, at]);
    return { json: { organization, milestones }, text: described(organization) + table([], reached) };
  },
  delete: (input, id) => {
    const organization_id = required(id);
    if (!input.flag('yes')) {
      throw usageError(`This deletes ${id} with everything in it, for good. Repeat it with --yes if that is meant.`);
    }
    return async (client) => {
      await client.call(deleteOrganization, { params: { organization_id } });
      return { json: { deleted: id }, text: `${id} is deleted.\n` };
    };
  },
};

async function listAll(client: Client): Promise<Organization[]> {
  const all: Organization[] = [];
  for (let from: string | undefined; ; ) {
    const { organizations, next } = await client.call(listOrganizations, { query: { from } });
    all.push(...organizations);
    if (!next) return all;
    from = next;
  }
}

function described({ id, name, model, plan, cutover, quotas, createdAt }: Organization): string {
  return table(
    [],
    [
      ['id', id],
      ['name', name],
      ['model', model],
      ['plan', plan],
      ['stage', cutover.stage],
      ['invocations a month', String(quotas.monthlyInvocations)],
      ['requests an hour', String(quotas.hourlyRequests)],
      ['tokens an hour', String(quotas.hourlyTokens)],
      ['created', createdAt],
    ],
  );
}

function required(id: string | undefined): string {
  if (id) return id;
  throw usageError('Give the id of the organization; "portolan org list" shows them.');
}

function oneOf<T extends string>(name: string, known: readonly T[], input: Arguments): T | undefined {
  const value = input.text(name);
  const found = known.find((each) => each === value);
  if (value === undefined || found !== undefined) return found;
  throw usageError(`--${name} "${value}" is not known. There are: ${known.join(', ')}.`);
}
