import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OrganizationDocuments } from '@portolan/team-references';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { Context } from '../../context.ts';
import { type ExitCode, exitCodes } from '../../exit-codes.ts';
import { counted, printable } from '../../output.ts';
import { passedByNote, type ScannedFile, scanFolder } from './scan-folder.ts';
import { applyTextEdits } from './text-edit.ts';
import { named, validateTerraform } from './validate-terraform.ts';

/** `migrate codemod`: shows or writes the changes to a folder, then validates it with Terraform. */
export async function runCodemod(
  folder: string,
  organization: OrganizationDocuments,
  isWritten: boolean,
  context: Context,
): Promise<ExitCode> {
  const { files, unread, passedBy, rootsOf } = await scanFolder(folder, organization);
  const changed = files.filter(({ edits }) => edits.length > 0);
  const say = (text: string): void => context.err.write(printable(text, context.err));
  const roots = isWritten ? rootsOf(changed.map(({ file }) => file)) : [];
  const before = await validateTerraform(folder, roots, context);
  for (const each of changed) await show(each, folder, isWritten, context);
  const byHand = files.flatMap(({ findings }) => findings).filter(({ isEdited }) => !isEdited);
  say(byHand.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}\n`).join(''));
  say(unread.map(({ file, why }) => `${file}: This was not looked at: ${why}.\n`).join(''));
  say(passedByNote(passedBy));
  const verb = isWritten ? 'changed' : 'to change; --write changes them';
  const missed = unread.length === 0 ? '' : ` ${counted(unread.length, 'file')} could not be looked at.`;
  say(`${counted(changed.length, 'file')} ${verb}. ${counted(byHand.length, 'place')} to look at by hand.${missed}\n`);
  const known = new Set(before.flatMap(({ errors }) => errors.map(withoutPlace)));
  let isBroken = false;
  for (const { folder: root, errors, notAsked } of await validateTerraform(folder, roots, context)) {
    const added = errors.filter((each) => !known.has(withoutPlace(each)));
    isBroken ||= added.length > 0;
    const verdict =
      added.length > 0
        ? `refuses ${named(root)} now`
        : errors.length > 0
          ? `refuses ${named(root)} as it did before`
          : `accepts ${named(root)}`;
    say(notAsked === undefined ? `terraform validate ${verdict}.\n` : `Only the syntax was checked: ${notAsked}\n`);
    say(added.map((each) => `${each}\n`).join(''));
  }
  return isBroken ? exitCodes.failed : exitCodes.ok;
}

/** Ignores line numbers, which shift when lines above change. */
const withoutPlace = (error: string): string => error.replace(/:\d+:\d+:/, ':');

async function show(
  { file, source, edits }: ScannedFile,
  folder: string,
  isWritten: boolean,
  context: Context,
): Promise<void> {
  const after = applyTextEdits(source, edits);
  if (isWritten) await writeFile(join(folder, file), after);
  else context.out.write(printable(unifiedDiff(file, source, after), context.out));
}

/** The change of a file in the format of `diff -u`, for `git apply`. */
function unifiedDiff(file: string, before: string, after: string): string {
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(`a/${file}`, `b/${file}`, before, after, undefined, undefined, options);
}
