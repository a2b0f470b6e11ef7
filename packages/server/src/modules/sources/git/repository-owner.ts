import type { JqObject } from '@portolan/jq';
import { type Codeowners, type CodeownersDialect, codeownersPaths } from './codeowners/codeowners.ts';
import { countFiles, decideOwner, readTeamName } from './codeowners/decide-owner.ts';
import { parseCodeowners } from './codeowners/parse-codeowners.ts';
import type { GitSettings } from './git-settings.ts';

/** The CODEOWNERS file of a repository that counts. */
export interface FoundCodeowners {
  readonly path: string;
  readonly codeowners: Codeowners;
}

const entriesShown = 1_000;

/** The first that the host would read. */
export function findCodeowners(
  dialect: CodeownersDialect,
  contents: ReadonlyMap<string, string>,
): FoundCodeowners | undefined {
  const path = codeownersPaths[dialect].find((each) => contents.has(each));
  return path === undefined ? undefined : { path, codeowners: parseCodeowners(contents.get(path) ?? '', dialect) };
}

/** What expressions see of it. */
export function presentCodeowners({ path, codeowners }: FoundCodeowners, paths: readonly string[]): JqObject {
  return {
    path,
    entries: codeowners.entries.slice(0, entriesShown).map((entry) => ({ ...entry, owners: [...entry.owners] })),
    counts: Object.fromEntries(countFiles(codeowners, paths)),
  };
}

/** The owner of a repository: `{owner, team, login, reason}`; all null where nobody is. */
export function presentOwner(
  found: FoundCodeowners | undefined,
  paths: readonly string[],
  teamNames: GitSettings['teamNames'],
): JqObject {
  if (!found) return { owner: null, team: null, login: null, reason: 'the repository has no CODEOWNERS file' };
  const { owner, reason } = decideOwner(found.codeowners, paths);
  return { ...namesOf(owner, teamNames), reason };
}

/** The owner of a folder: of what lies in it. */
export function presentFolderOwner(
  found: FoundCodeowners | undefined,
  folder: string,
  teamNames: GitSettings['teamNames'],
): JqObject {
  const owners = found?.codeowners.ownersOf(`${folder}/\u{e000}any`) ?? [];
  return namesOf(owners.find((owner) => readTeamName(owner)) ?? owners[0] ?? null, teamNames);
}

function namesOf(owner: string | null, teamNames: GitSettings['teamNames']): JqObject {
  if (owner === null) return { owner, team: null, login: null };
  const alias = Object.hasOwn(teamNames, owner) ? teamNames[owner] : undefined;
  const team = alias ?? readTeamName(owner)?.toLowerCase() ?? null;
  return { owner, team, login: team === null && owner.startsWith('@') ? owner.slice(1) : null };
}
