import { type Client, operation } from '@portolan/contract';
import type { Arguments } from '../command.ts';
import { connect, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printable } from '../output.ts';

const path = '/v1/blueprints/system/users-and-teams-as-blueprints';
const shared = { tag: 'Migrations', access: 'admin', summary: '', errors: [] } as const;
const operations = {
  start: operation({ ...shared, id: 'startUsersAndTeams', method: 'POST', path, status: 202 }),
  status: operation({ ...shared, id: 'getUsersAndTeams', method: 'GET', path }),
  plan: operation({ ...shared, id: 'planUsersAndTeams', method: 'GET', path: `${path}/plan` }),
  rollback: operation({ ...shared, id: 'undoUsersAndTeams', method: 'POST', path: `${path}/rollback`, status: 202 }),
};

/** What is read of the answers; everything else is printed with --json. */
interface Answered {
  readonly migrationId?: string | null;
  readonly status?: string;
  readonly message?: string | null;
  readonly undoUntil?: string | null;
  readonly plan?: Plan;
}

interface Plan {
  readonly hash?: string;
  readonly model?: string;
  readonly automatic?: readonly Change[];
  readonly implied?: readonly Change[];
  readonly manual?: readonly unknown[];
  readonly blockers?: readonly Problem[];
  readonly warnings?: readonly Problem[];
}

interface Change {
  readonly rule: number | string;
  readonly resource: { readonly kind: string; readonly identifier: string };
  readonly pointer: string;
  readonly before: unknown;
  readonly after: unknown;
}

interface Problem {
  readonly code: string;
  readonly message: string;
  readonly fix?: string;
}

/** Plans, starts, shows or undoes the migration of the organization, which the server runs. */
export async function runMigration(
  verb: keyof typeof operations,
  input: Arguments,
  context: Context,
): Promise<ExitCode> {
  const { client, address } = connect(input, context);
  const answer = await explained(address, () => ask(client, verb));
  const text = input.flag('json') ? `${JSON.stringify(answer)}\n` : textOf(answer);
  context.out.write(printable(text, context.out));
  const isBad = answer.status === 'FAILED' || answer.status === 'BLOCKED' || (answer.plan?.blockers?.length ?? 0) > 0;
  return isBad ? exitCodes.failed : exitCodes.ok;
}

async function ask(client: Client, verb: keyof typeof operations): Promise<Answered> {
  const response = await client.open(operations[verb]);
  return (await response.json()) as Answered;
}

function textOf({ migrationId, status, message, undoUntil, plan }: Answered): string {
  if (plan !== undefined) return planText(plan);
  const lines = [
    `${status ?? 'unknown'}${migrationId ? ` ${migrationId}` : ''}`,
    ...(message ? [message] : []),
    ...(undoUntil ? [`It can be undone until ${undoUntil}: portolan migrate rollback.`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function planText({
  hash,
  model,
  automatic = [],
  implied = [],
  manual = [],
  blockers = [],
  warnings = [],
}: Plan): string {
  const problem = ({ code, message, fix }: Problem): string => `  ${code}: ${message}${fix ? ` ${fix}` : ''}\n`;
  const change = ({ rule, resource, pointer, before, after }: Change): string =>
    `  ${rule}  ${resource.kind} ${resource.identifier} ${pointer}: ${short(before)} -> ${short(after)}\n`;
  return [
    `Plan${hash ? ` ${hash}` : ''} of an organization of model ${model ?? 'unknown'}\n`,
    section('Blocks the migration', blockers.map(problem)),
    section('Warnings', warnings.map(problem)),
    section('Automatic', [...automatic, ...implied].map(change)),
    `${manual.length} by hand: portolan report shows them.\n`,
  ].join('');
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `${title}\n${lines.join('')}`;

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
