import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { OrganizationDocuments } from '@portolan/team-references';
import { CliError } from '../../cli-error.ts';
import { exitCodes } from '../../exit-codes.ts';
import { findInScript } from './api-script.ts';
import { findInMappingFile } from './mapping-file.ts';
import { editTerraform, factsOf } from './terraform.ts';
import { positionOf, type TextEdit } from './text-edit.ts';

export interface FolderFinding {
  readonly rule: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly text: string;
  /** Whether something gives another result after the migration for certain. */
  readonly breaks: boolean;
}

export interface ScannedFile {
  readonly file: string;
  readonly source: string;
  readonly edits: readonly TextEdit[];
  readonly findings: readonly FolderFinding[];
}

const passedBy = new Set([
  'node_modules',
  '.git',
  '.terraform',
  'dist',
  'build',
  'vendor',
  '.venv',
  'venv',
  '__pycache__',
  'output',
]);
const fileBytesMax = 1_000_000;
const filesMax = 50_000;
const kinds: readonly (readonly [RegExp, 'terraform' | 'mapping' | 'script'])[] = [
  [/\.tf$/, 'terraform'],
  [/\.(ya?ml|json)$/, 'mapping'],
  [/\.(py|js|mjs|cjs|ts|sh|bash|go|rb|java|kt|ps1)$/, 'script'],
];

/** Reads a folder of definitions and finds what the migration touches. @throws CliError `cannot_read` */
export async function scanFolder(folder: string, organization: OrganizationDocuments): Promise<ScannedFile[]> {
  const paths = await filesOf(folder);
  const sources = new Map<string, string>();
  for (const path of paths) sources.set(path, await readFile(path, 'utf8'));
  const terraform = [...sources].filter(([path]) => path.endsWith('.tf')).map(([, source]) => source);
  const facts = factsOf(terraform);
  const known = identifiersOf(organization);
  return [...sources].flatMap(([path, source]): ScannedFile[] => {
    const file = relative(folder, path).split(sep).join('/');
    const kind = kinds.find(([pattern]) => pattern.test(file))?.[1];
    const found = (edit: Omit<TextEdit, 'after' | 'end'>, breaks: boolean): FolderFinding => {
      const lineText = source
        .slice(source.lastIndexOf('\n', edit.start - 1) + 1)
        .split('\n', 1)[0]!
        .trim();
      return {
        rule: edit.rule,
        file,
        ...positionOf(source, edit.start),
        message: edit.message,
        text: lineText.slice(0, 200),
        breaks,
      };
    };
    if (kind === 'terraform') {
      const edits = editTerraform(source, facts, known);
      return edits.length === 0 ? [] : [{ file, source, edits, findings: edits.map((edit) => found(edit, true)) }];
    }
    if (kind === 'mapping') {
      const items = findInMappingFile(file, source, organization);
      const findings = items.map(({ item, start }) =>
        found({ start, rule: 'mapping/team', message: item.why }, item.verdict === 'breaks'),
      );
      const edits = items.flatMap(({ edit }) => edit ?? []);
      return findings.length === 0 ? [] : [{ file, source, edits, findings }];
    }
    const findings = findInScript(source).map((edit) => found(edit, false));
    return findings.length === 0 ? [] : [{ file, source, edits: [], findings }];
  });
}

/** Identifiers of teams by title, where one alone has the title and its identifier is settled. */
function identifiersOf({ teams }: OrganizationDocuments): Map<string, string> {
  const alone = teams.filter(({ title }) => teams.filter((team) => team.title === title).length === 1);
  return new Map(
    alone.flatMap(({ title, identifier }) =>
      identifier === undefined || identifier === title ? [] : [[title, identifier] as const],
    ),
  );
}

async function filesOf(folder: string): Promise<string[]> {
  const files: string[] = [];
  const walk = async (at: string): Promise<void> => {
    const entries = await readdir(at, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(at, entry.name);
      // links are not followed: they may lead out of the folder, or in circles
      if (entry.isDirectory() && !passedBy.has(entry.name)) await walk(path);
      else if (
        entry.isFile() &&
        kinds.some(([pattern]) => pattern.test(entry.name)) &&
        (await stat(path)).size <= fileBytesMax
      )
        files.push(path);
      if (files.length > filesMax)
        throw new CliError(
          exitCodes.usage,
          'too_many_files',
          `${folder} holds more than ${filesMax} files. Name a smaller folder.`,
        );
    }
  };
  try {
    await walk(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || error instanceof CliError) throw error;
    throw new CliError(
      exitCodes.usage,
      'cannot_read',
      `${folder} cannot be read (${code}). Name a folder of definitions.`,
    );
  }
  return files;
}
