import type {
  UsersAndTeamsAccess,
  UsersAndTeamsChange,
  UsersAndTeamsPlan,
  UsersAndTeamsProblem,
  UsersAndTeamsRehearsal,
} from '@portolan/contract/users-and-teams';
import { counted } from '../output.ts';

/** The state of a migration. The answer that starts one has fewer fields than a later read. */
export interface State {
  readonly migrationId?: string | null;
  readonly status: string;
  readonly stage?: string | null;
  readonly counts?: Readonly<Record<string, number>>;
  readonly message?: string | null;
  readonly undoUntil?: string | null;
  readonly oldWriters?: readonly OldWriter[];
}

interface OldWriter {
  readonly datasource: string;
  readonly by: string | null;
  readonly resource: { readonly kind: string; readonly identifier: string };
  readonly relation: string | null;
  readonly title: string | null;
  readonly count: number;
  readonly lastSeen: string;
}

export function stateText({ migrationId, status, stage, counts, message, undoUntil, oldWriters = [] }: State): string {
  const isUnderWay = status === 'PENDING' || status === 'RUNNING';
  const lines = [
    [status, migrationId, isUnderWay ? stage : null, isUnderWay ? progress(counts ?? {}) : null]
      .filter(Boolean)
      .join(' '),
    ...(message ? [message] : []),
    ...(status === 'ROLLED_BACK'
      ? ['It was undone: teams are named by their titles again. portolan migrate start migrates anew.']
      : []),
    ...(undoUntil && status !== 'ROLLED_BACK'
      ? [`It can be undone until ${undoUntil}: portolan migrate rollback.`]
      : []),
    ...(oldWriters.length > 0 ? ['Still written the old way:', ...oldWriters.map(writerText)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function progress(counts: Readonly<Record<string, number>>): string {
  const entities = Object.entries(counts).flatMap(([name, count]) => (name.startsWith('entities:') ? [count] : []));
  return entities.length === 0 ? '' : `(${entities.reduce((sum, count) => sum + count, 0)} entities prepared)`;
}

function writerText({ datasource, by, resource, relation, title, count, lastSeen }: OldWriter): string {
  const who = by === null ? datasource : `${datasource} (${by})`;
  const what = relation === null ? `the title "${title}"` : `the relation "${relation}"`;
  return `  ${who}: ${what} in ${resource.kind} ${resource.identifier}, ${counted(count, 'time')}, last ${lastSeen}`;
}

/** Parts may be missing: scripted test servers and older servers omit some. */
export function planText({
  hash,
  model,
  automatic = [],
  implied = [],
  manual = [],
  blockers = [],
  warnings = [],
}: Partial<UsersAndTeamsPlan>): string {
  const problem = ({ code, message, fix }: UsersAndTeamsProblem): string =>
    `  ${code}: ${message}${fix ? ` ${fix}` : ''}\n`;
  const change = ({ rule, resource, pointer, before, after }: UsersAndTeamsChange): string =>
    `  ${rule}  ${resource.kind} ${resource.identifier} ${pointer}: ${short(before)} -> ${short(after)}\n`;
  return [
    `Plan${hash ? ` ${hash}` : ''} of an organization of model ${model ?? 'unknown'}\n`,
    section('Blocks the migration', blockers.map(problem)),
    section('Warnings', warnings.map(problem)),
    section('Automatic', [...automatic, ...implied].map(change)),
    `${manual.length} by hand: portolan report shows them.\n`,
  ].join('');
}

export function rehearsalText({ gained, lost, expressions, checked, isCut }: UsersAndTeamsRehearsal): string {
  const access = ({ person, operation, kind, identifier }: UsersAndTeamsAccess): string =>
    `  ${person}: ${operation} ${kind} ${identifier}\n`;
  const differing = expressions.map(
    ({ resource, pointer, of, before, after }) =>
      `  ${resource.kind} ${resource.identifier} ${pointer}, of ${of}: ${short(before)} -> ${short(after)}\n`,
  );
  return [
    gained.length + lost.length === 0 ? 'Nobody gains or loses anything.\n' : '',
    section('Could do afterwards, and cannot now', gained.map(access)),
    section('Can now, and could not afterwards', lost.map(access)),
    section('Would give something else', differing),
    isCut ? 'There are more differences than are listed.\n' : '',
    `Compared ${counted(checked.people, 'person', 'people')} on ${counted(checked.blueprints, 'blueprint')}, `,
    `${counted(checked.actions, 'action')} and ${counted(checked.pages, 'page')}; `,
    `tried expressions ${counted(checked.expressions, 'time')}.\n`,
  ].join('');
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `${title}\n${lines.join('')}`;

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
