import type { TrustedSourceName } from '@portolan/contract/ai-policy';
import type { Reader } from '../../../platform/db/database.ts';
import { invalidRequest } from '../../../platform/errors.ts';
import { parseSource, type TextAuthor } from '../../../platform/text-authors.ts';
import type { TrustedSource } from '../../organizations/index.ts';

/** An integration, webhook or source as it is now. */
export interface KnownSource {
  readonly key: number;
  /** Why it cannot be trusted, if so. */
  readonly problem?: string | undefined;
}

/** Finds what an organization calls by a name; from modules beside this one, handed in by `app.ts`. */
export type FindSource = (
  reader: Reader,
  orgId: string,
  kind: TrustedSource['kind'],
  identifier: string,
) => Promise<KnownSource | undefined>;

/** @throws AppError `invalid_request` with all names that stand for nothing here, or for what cannot be trusted */
export async function resolveTrusted(
  reader: Reader,
  orgId: string,
  names: readonly TrustedSourceName[],
  find: FindSource,
): Promise<TrustedSource[]> {
  const resolved: TrustedSource[] = [];
  const issues: { path: string; message: string }[] = [];
  for (const [index, { kind, identifier }] of names.entries()) {
    const path = `/trustedSources/${index}/identifier`;
    const found = await find(reader, orgId, kind, identifier);
    if (!found) issues.push({ path, message: `names no ${kind} of this organization` });
    else if (found.problem) issues.push({ path, message: found.problem });
    else if (resolved.some((each) => each.kind === kind && each.key === found.key))
      issues.push({ path, message: 'is named above' });
    else resolved.push({ kind, key: found.key, identifier });
  }
  if (issues.length > 0) throw invalidRequest(issues);
  return resolved;
}

/** The authors of a label that are sources which are trusted now. */
export function findTrustedAuthors(
  label: readonly TextAuthor[],
  trusted: readonly TrustedSource[],
): ReadonlySet<TextAuthor> {
  const isTrusted = (author: TextAuthor): boolean => {
    const source = parseSource(author);
    return trusted.some(({ kind, key }) => source?.kind === kind && source.key === key);
  };
  return new Set(label.filter(isTrusted));
}
