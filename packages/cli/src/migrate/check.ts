import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { findManualItems, type OrganizationDocuments } from '@portolan/team-references';
import { CliError } from '../cli-error.ts';
import type { Arguments } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { counted, printable } from '../output.ts';
import type { UnreadFile } from './codemod/read-folder.ts';
import { type FolderFinding, passedByNote, scanFolder } from './codemod/scan-folder.ts';
import { type CheckFinding, toSarif } from './sarif.ts';

const unreadRule = 'file/not-read';

/** `migrate check`: fails if something would break that is not in the baseline. */
export async function check(
  input: Arguments,
  context: Context,
  folder: string | undefined,
  organization: OrganizationDocuments | undefined,
  empty: OrganizationDocuments,
): Promise<ExitCode> {
  const at = (name: string): string => resolve(context.workingDirectory, name);
  const scanned = folder === undefined ? undefined : await scanFolder(at(folder), organization ?? empty);
  const findings = [
    ...withIds((scanned?.files ?? []).flatMap((file) => file.findings)),
    ...(scanned?.unread ?? []).map(unreadFinding),
    ...(organization === undefined ? [] : listManualFindings(organization)),
  ];
  const sarif = input.text('sarif');
  if (sarif !== undefined) await save(at(sarif), toSarif(findings));
  const kept = input.text('write-baseline');
  if (kept !== undefined) {
    await save(at(kept), {
      version: 1,
      known: findings
        .filter(({ breaks }) => breaks)
        .map(({ id }) => id)
        .sort(),
    });
    context.out.write(`${counted(findings.filter(({ breaks }) => breaks).length, 'finding')} kept in ${kept}.\n`);
    return exitCodes.ok;
  }
  const baseline = input.text('baseline');
  const known = baseline === undefined ? new Set<string>() : await readBaseline(at(baseline));
  const breaking = findings.filter(({ breaks, id }) => breaks && !known.has(id));
  const lines = breaking.map(({ place, line, column, rule, message }) => {
    const where = line === undefined ? place : `${place}:${line}:${column}`;
    return `${where}: ${message} [${rule}]\n`;
  });
  context.out.write(printable(lines.join(''), context.out));
  const unread = breaking.filter(({ rule }) => rule === unreadRule).length;
  const others = findings.length - breaking.length;
  const missed = unread === 0 ? '' : `, ${counted(unread, 'file')} could not be looked at`;
  const passed = passedByNote(scanned?.passedBy ?? []);
  context.err.write(
    `${passed}${counted(breaking.length - unread, 'reference')} would break, ${others} other or known${missed}.\n`,
  );
  return breaking.length === 0 ? exitCodes.ok : exitCodes.failed;
}

/** An unread file counts as breaking: nothing is known about it. */
function unreadFinding({ file, why }: UnreadFile): CheckFinding {
  const message = `This was not looked at: ${why}.`;
  return {
    id: findingId([file, unreadRule]),
    rule: unreadRule,
    breaks: true,
    message,
    place: file,
    line: 1,
    column: 1,
  };
}

const findingId = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\u0000')).digest('hex').slice(0, 16);

/** The id depends on file, rule, message and the text of the line, not on the line number. */
function withIds(findings: readonly FolderFinding[]): CheckFinding[] {
  const seen = new Map<string, number>();
  return findings.map(({ file, rule, text, line, column, message, breaks }) => {
    const parts = [file, rule, message, text];
    const key = parts.join('\u0000');
    const number = (seen.get(key) ?? 0) + 1;
    seen.set(key, number);
    const id = findingId([...parts, String(number)]);
    return { id, rule, breaks, message, place: file, line, column };
  });
}

function listManualFindings(organization: OrganizationDocuments): CheckFinding[] {
  return findManualItems(organization).map(({ id, area, resource, pointer, why, verdict }) => ({
    id,
    rule: `organization/${area}`,
    breaks: verdict === 'breaks',
    message: why,
    place: `${resource.kind}/${resource.identifier}${pointer}`,
  }));
}

/** @throws CliError `baseline_invalid` */
async function readBaseline(file: string): Promise<ReadonlySet<string>> {
  const invalid = (): CliError =>
    new CliError(exitCodes.usage, 'baseline_invalid', `${file} is no baseline. Write one with --write-baseline.`);
  try {
    const { known } = JSON.parse(await readFile(file, 'utf8')) as { known?: unknown };
    if (!Array.isArray(known) || !known.every((id) => typeof id === 'string')) throw invalid();
    return new Set(known as string[]);
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code !== undefined)
      throw error instanceof CliError ? error : invalid();
    throw error;
  }
}

async function save(file: string, content: object): Promise<void> {
  try {
    await writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(exitCodes.failed, 'cannot_write', `${file} cannot be written (${code}). Name another file.`);
  }
}
