import type { OrganizationDocuments } from '@portolan/team-references';
import { findInScript } from './api-script.ts';
import { findInMappingFile } from './mapping-file.ts';
import { readFolder, type UnreadFile } from './read-folder.ts';
import { editTerraform, type TerraformResult } from './terraform/edit-terraform.ts';
import { type FileNote, type TextEdit, toPosition } from './text-edit.ts';

export interface FolderFinding extends FileNote {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
  /** Whether an edit resolves it. */
  readonly isEdited: boolean;
}

export interface ScannedFile {
  readonly file: string;
  readonly source: string;
  readonly edits: readonly TextEdit[];
  readonly findings: readonly FolderFinding[];
}

export interface ScannedFolder {
  /** Only files with findings. */
  readonly files: readonly ScannedFile[];
  readonly unread: readonly UnreadFile[];
  readonly passedBy: readonly string[];
  /** The root modules of Terraform from which these files are reached. */
  rootsOf(files: readonly string[]): string[];
}

type Kind = 'terraform' | 'mapping' | 'script' | 'other';
const kinds: readonly (readonly [RegExp, Kind])[] = [
  [/^\.terraform\.lock\.hcl$|package-lock\.json$/, 'script'],
  [/\.(tf|tofu)\.json$|\.(tfvars|hcl)(\.json)?$/, 'other'],
  [/\.(tf|tofu)$/, 'terraform'],
  [/\.(ya?ml|json)$/, 'mapping'],
  [/\.(py|js|mjs|cjs|ts|sh|bash|go|rb|java|kt|ps1)$/, 'script'],
];
const fileKind = (path: string): Kind | undefined =>
  kinds.find(([pattern]) => pattern.test(path.split('/').at(-1)!))?.[1];

/** Scans a folder of definitions for what the migration affects. @throws CliError `cannot_read` */
export async function scanFolder(folder: string, organization: OrganizationDocuments): Promise<ScannedFolder> {
  const { sources, unread, passedBy } = await readFolder(folder, (name) => fileKind(name) !== undefined);
  const terraform = editTerraform(
    new Map([...sources].filter(([file]) => fileKind(file) === 'terraform')),
    organization,
  );
  const missed: UnreadFile[] = [...unread, ...terraform.unreadable.map((each) => toUnreadFile(each, sources))];
  const files = [...sources].flatMap(([file, source]): ScannedFile[] => {
    const found = lookAt(file, source, organization, terraform);
    if (found.unread !== undefined) missed.push({ file, why: found.unread });
    const findings = [
      ...found.notes.map((note) => toFinding(file, source, note, false)),
      ...found.edits.map((edit) => toFinding(file, source, { ...edit, breaks: true }, true)),
    ].sort((left, right) => left.start - right.start);
    return findings.length === 0 ? [] : [{ file, source, edits: found.edits, findings }];
  });
  return {
    files,
    unread: missed.sort((left, right) => (left.file < right.file ? -1 : 1)),
    passedBy,
    rootsOf: terraform.rootsOf,
  };
}

interface FileResult {
  readonly edits: readonly TextEdit[];
  readonly notes: readonly FileNote[];
  readonly unread?: string;
}

function lookAt(
  file: string,
  source: string,
  organization: OrganizationDocuments,
  terraform: TerraformResult,
): FileResult {
  switch (fileKind(file)) {
    case 'terraform':
      return terraform.files.find(({ path }) => path === file) ?? { edits: [], notes: [] };
    case 'mapping': {
      const { found, unread } = findInMappingFile(file, source, organization);
      const edits = found.flatMap((each) => each.edits);
      const left = found.filter((each) => each.edits.length === 0 || each.item.suggestion?.isPartial);
      const notes = left.map(({ item, start, edits: { length } }) => ({
        start,
        rule: 'mapping/team',
        message: length === 0 ? item.why : item.suggestion!.explanation,
        breaks: item.verdict === 'breaks',
      }));
      const others = found.length === 0 ? findInScript(source) : [];
      return { edits, notes: [...notes, ...others], ...(unread === undefined ? {} : { unread }) };
    }
    case 'other':
      // a variables file or JSON: the meaning of its values is unknown
      return {
        edits: [],
        notes: [],
        ...(/team/i.test(source) ? { unread: 'files of this kind are not read, and it speaks of teams' } : {}),
      };
    default:
      return { edits: [], notes: findInScript(source) };
  }
}

function toUnreadFile(
  { path, offset, message }: TerraformResult['unreadable'][number],
  sources: ReadonlyMap<string, string>,
): UnreadFile {
  const { line, column } = toPosition(sources.get(path)!, offset);
  return { file: path, why: `it does not parse (line ${line}, column ${column}: ${message})` };
}

function toFinding(file: string, source: string, note: FileNote, isEdited: boolean): FolderFinding {
  const { start, rule, message, breaks } = note;
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  const text = source.slice(lineStart).split('\n', 1)[0]!.trim().slice(0, 200);
  return { start, rule, message, breaks, file, ...toPosition(source, start), text, isEdited };
}

/** A note on skipped folders, so that they are not assumed to be scanned. */
export function passedByNote(folders: readonly string[]): string {
  return folders.length === 0 ? '' : `Passed by: ${folders.join(', ')}.\n`;
}
