import type { OrganizationDocuments } from '@portolan/team-references';
import { findInScript } from '../api-script.ts';
import { HclSyntaxError } from '../hcl/cursor.ts';
import { parseHcl } from '../hcl/parse-body.ts';
import { listBlocks } from '../hcl/read-syntax.ts';
import { applyTextEdits, type FileNote } from '../text-edit.ts';
import { followOwnership, inheritOwnership } from './ownership.ts';
import { raiseVersions } from './provider-version.ts';
import { becomeSystemBlueprints, isSystem } from './system-blueprint.ts';
import { rewriteExpressions } from './team-expressions.ts';
import { type KnownTeams, nameTeamsByIdentifier } from './team-names.ts';
import { groupModules, rootFolders, type TerraformFile, type TerraformModule } from './terraform-module.ts';

export interface TerraformResult {
  readonly files: readonly TerraformFile[];
  /** Files that are not valid HCL, with the offset of the error. */
  readonly unreadable: readonly { readonly path: string; readonly offset: number; readonly message: string }[];
  rootsOf(paths: readonly string[]): string[];
}

/** The edits that bring all Terraform files of a folder to the new model, and notes for manual changes. */
export function editTerraform(
  sources: ReadonlyMap<string, string>,
  organization: OrganizationDocuments,
): TerraformResult {
  const files: TerraformFile[] = [];
  const unreadable: { path: string; offset: number; message: string }[] = [];
  for (const [path, source] of sources) {
    try {
      files.push({ path, source, body: parseHcl(source), edits: [], notes: [] });
    } catch (error) {
      if (!(error instanceof HclSyntaxError)) throw error;
      unreadable.push({ path, offset: error.offset, message: error.message });
    }
  }
  const modules = groupModules(files);
  const known = knownTeams(organization);
  for (const module of modules) {
    becomeSystemBlueprints(module, modules);
    for (const resource of module.resources) {
      if (resource.kind === 'blueprint' && !isSystem(resource, module)) inheritOwnership(resource, module);
    }
    followOwnership(module);
    nameTeamsByIdentifier(module, known);
    rewriteExpressions(module, organization);
  }
  raiseVersions(modules);
  for (const module of modules) noteCalls(module);
  for (const file of files) checkSyntax(file);
  const rootsOf = (paths: readonly string[]): string[] => {
    const touched = modules.filter((module) => module.files.some(({ path }) => paths.includes(path)));
    return [...new Set(touched.flatMap((module) => rootFolders(module, modules)))].sort();
  };
  return { files, unreadable, rootsOf };
}

/** Notes resources of other providers that may call the API. */
function noteCalls({ files, resources }: TerraformModule): void {
  for (const file of files) {
    const own = resources.filter((resource) => resource.file === file).map(({ block }) => block);
    const others = listBlocks(file.body, 'resource').filter((block) => !own.includes(block));
    const isOther = ({ start }: FileNote): boolean => others.some((block) => start >= block.start && start < block.end);
    file.notes.push(...findInScript(file.source).filter(isOther));
  }
}

/** Leaves and lists a file that would no longer parse after its edits. */
function checkSyntax(file: TerraformFile): void {
  try {
    parseHcl(applyTextEdits(file.source, file.edits));
  } catch (error) {
    if (!(error instanceof HclSyntaxError)) throw error;
    file.notes.push(...file.edits.splice(0).map((edit) => ({ ...edit, breaks: true })));
  }
}

/** Teams with a final identifier; a title shared by two teams is omitted. */
function knownTeams({ teams }: OrganizationDocuments): KnownTeams {
  const alone = teams.filter(({ title }) => teams.filter((team) => team.title === title).length === 1);
  return {
    identifiers: new Set(teams.flatMap(({ identifier }) => identifier ?? [])),
    identifierOf: new Map(
      alone.flatMap(({ title, identifier }) =>
        identifier === undefined || identifier === title ? [] : [[title, identifier] as const],
      ),
    ),
  };
}
