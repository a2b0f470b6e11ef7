import type { TransferProblem } from '@portolan/contract/transfer-file';
import type { Context, Output } from '../context.ts';
import { counted, printable } from '../output.ts';
import type { Note } from './adopt-ownership.ts';
import type { ImportResult } from './apply-import.ts';

/** What an import would do, as far as the server can tell in advance. */
export interface ImportPlan {
  readonly blueprints: PlannedNames;
  readonly entities: { readonly create: number; readonly update: number; readonly unchecked: number };
  /** Scorecards, actions, folders, pages and permissions, such as `page home`; absent if the file has none. */
  readonly portal?: PlannedNames;
}

interface PlannedNames {
  readonly create: readonly string[];
  readonly update: readonly string[];
  readonly unchanged: readonly string[];
}

/** The output of `import --json`. `applied` is null if nothing was to be written. */
export interface ImportReport {
  readonly ok: boolean;
  readonly plan: ImportPlan;
  readonly applied: Omit<ImportResult, 'problems'> | null;
  readonly problems: readonly TransferProblem[];
  /** Differences between the file and what the import makes of it. */
  readonly notes: readonly Note[];
}

/** Further problems are only counted; `--json` lists all. */
const problemsShownMax = 50;

export function planText({ blueprints, entities, portal }: ImportPlan): string {
  const { create, update, unchanged } = blueprints;
  const later = entities.unchecked > 0 ? `, ${entities.unchecked} that can only be checked by writing them` : '';
  return [
    'Plan:',
    `  ${counted(create.length, 'blueprint')} to create, ${update.length} to change, ${unchanged.length} unchanged`,
    `  ${counted(entities.create, 'entity', 'entities')} to create, ${entities.update} to update${later}`,
    ...(portal
      ? [
          `  ${counted(portal.create.length, 'record')} of the portal to create, ${portal.update.length} to change, ${portal.unchanged.length} unchanged`,
        ]
      : []),
    '',
  ].join('\n');
}

/** The closing line of an import. */
export function endText({ applied, problems }: ImportReport, isDryRun: boolean): string {
  const refused = problems.length > 0 ? counted(problems.length, 'problem') : undefined;
  if (!applied) {
    if (isDryRun) return `Nothing was written (--dry-run)${refused ? `; ${refused}` : ''}.\n`;
    return `Nothing was written because of ${refused}. Correct the file, or write the rest with --keep-going.\n`;
  }
  const { blueprints, created, updated, portal } = applied;
  const entities = `${counted(created + updated, 'entity', 'entities')} (${created} new)`;
  const records = portal === undefined ? '' : `, and ${counted(portal, 'record')} of the portal`;
  const done = `Wrote ${counted(blueprints, 'blueprint')} and ${entities}${records}`;
  return refused ? `${done}; ${refused}.\n` : `${done}.\n`;
}

export function notesText(notes: readonly Note[], output: Output): string {
  return printable(
    notes
      .map(({ line, blueprint, workflow, message }) => `line ${line} (${blueprint ?? workflow}): ${message}\n`)
      .join(''),
    output,
  );
}

export function problemsText(problems: readonly TransferProblem[], output: Output): string {
  const shown = problems.slice(0, problemsShownMax).map(({ line, blueprint, identifier, error, message }) => {
    const subject = [blueprint, identifier].filter((name) => name !== undefined).join('/');
    return `line ${line}${subject ? ` (${subject})` : ''}: ${error}: ${message}\n`;
  });
  const more = problems.length - shown.length;
  return printable([...shown, ...(more > 0 ? [`… and ${more} more; --json lists all\n`] : [])].join(''), output);
}

/** Progress on stderr: a line updated in place on a terminal, otherwise a line per thousand. */
export function createProgress({ err }: Pick<Context, 'err'>, verb: string, total: number): (count: number) => void {
  let done = 0;
  return (count) => {
    const before = done;
    done = Math.min(done + count, total);
    const isStep = Math.floor(before / 1000) < Math.floor(done / 1000);
    if (err.isTerminal) err.write(`\r${verb} ${done} of ${total}${done === total ? '\n' : ''}`);
    else if (isStep) err.write(`${verb} ${done} of ${total}\n`);
  };
}
