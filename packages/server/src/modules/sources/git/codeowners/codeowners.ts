/** Whose rules a CODEOWNERS file follows. */
export type CodeownersDialect = 'github' | 'gitlab' | 'bitbucket' | 'gitea';

/** One line that names owners. */
export interface CodeownersEntry {
  readonly line: number;
  readonly pattern: string;
  /** As written: `@acme/payments`, `@ada`, `ada@acme.example`; none takes owners away. */
  readonly owners: readonly string[];
  readonly section?: string;
}

/** A line that the host would not understand either. */
export interface CodeownersFault {
  readonly line: number;
  readonly message: string;
}

export interface Codeowners {
  readonly entries: readonly CodeownersEntry[];
  readonly faults: readonly CodeownersFault[];
  /** What it costs to find the owners of a path, in characters of patterns that are compared. */
  readonly cost: number;
  /** Owners of a path, the first named first. */
  ownersOf(path: string): readonly string[];
}

/** Where each host looks, in this order. */
export const codeownersPaths: Readonly<Record<CodeownersDialect, readonly string[]>> = {
  github: ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'],
  gitlab: ['CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'],
  bitbucket: ['.bitbucket/CODEOWNERS', 'CODEOWNERS'],
  gitea: ['CODEOWNERS', 'docs/CODEOWNERS', '.gitea/CODEOWNERS'],
};
