import type { Codeowners } from './codeowners.ts';

/** Who owns a repository, or a folder of it, and why. */
export interface DecidedOwner {
  /** As written in the file; the first of them. */
  readonly owner: string | null;
  readonly reason: string;
}

/** The share of files that makes an owner the owner of all. */
const majority = 0.6;
const pathsMax = 20_000;
/** Of all comparisons of one repository: with very many rules, fewer files are looked at. */
const costMax = 20_000_000;
/** A name that no pattern means unless it means every file. */
const anyFile = '\u{e000}any';

/** The owner of the whole: who owns any file in the root, else who owns most of the files that are there. */
export function decideOwner(codeowners: Codeowners, paths: readonly string[]): DecidedOwner {
  const root = preferTeam(codeowners.ownersOf(anyFile));
  if (root) return { owner: root, reason: 'owns every file that no other rule gives away' };
  const counts = countFiles(codeowners, paths);
  const total = Math.min(paths.length, pathsCounted(codeowners));
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  if (most && most[1] >= total * majority) {
    return { owner: most[0], reason: `owns ${most[1]} of ${total} files` };
  }
  return { owner: null, reason: most ? `no owner has ${majority * 100} % of the files` : 'no file has an owner' };
}

/** How many files each owner is the first of. */
export function countFiles(codeowners: Codeowners, paths: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const path of paths.slice(0, pathsCounted(codeowners))) {
    const owner = preferTeam(codeowners.ownersOf(path));
    if (owner) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  return counts;
}

function pathsCounted({ cost }: Codeowners): number {
  return Math.min(pathsMax, Math.ceil(costMax / Math.max(1, cost)));
}

/** Teams own, people help: the first team, else the first person. */
function preferTeam(owners: readonly string[]): string | undefined {
  return owners.find((owner) => readTeamName(owner) !== undefined) ?? owners[0];
}

/** The team of `@acme/payments`: its last part; undefined for a person. */
export function readTeamName(owner: string): string | undefined {
  return /^@[^/@\s]+(?:\/[^/@\s]+)*\/([^/@\s]+)$/.exec(owner)?.[1];
}
