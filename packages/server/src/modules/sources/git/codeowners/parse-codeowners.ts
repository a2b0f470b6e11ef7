import type { Codeowners, CodeownersDialect } from './codeowners.ts';
import { parseGitea } from './gitea-rules.ts';
import { parseGitignoreLike } from './gitignore-rules.ts';

/** Lines beyond are not read; hosts ignore files that are larger than that. */
const linesMax = 20_000;

export function parseCodeowners(text: string, dialect: CodeownersDialect): Codeowners {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/, linesMax);
  return dialect === 'gitea' ? parseGitea(lines) : parseGitignoreLike(lines, dialect);
}
