import { type BacktrackEngine, createRegexEngine, type RegexEngine, type RegexMatch } from '@portolan/jq';

/**
 * RE2 first, then the browser's own engine for patterns that RE2 refuses, as the server falls back to V8. A match
 * cannot be interrupted here: an overlong one is refused afterwards, and the owner of the worker terminates it if it
 * stops answering.
 */
export const browserRegexEngine: RegexEngine = createRegexEngine({ matchAll } satisfies BacktrackEngine);

function matchAll({
  source,
  flags,
  subject,
  groupCount,
  isGlobal,
  notEmpty,
  timeMs,
}: Parameters<BacktrackEngine['matchAll']>[0]): RegexMatch[] | undefined {
  const until = performance.now() + timeMs;
  const matcher = new RegExp(source, `${flags}g`);
  const found: RegexMatch[] = [];
  for (let from = 0; from <= subject.length; ) {
    matcher.lastIndex = from;
    const match = matcher.exec(subject);
    if (performance.now() > until) return undefined;
    if (match === null) break;
    const [start, end] = match.indices?.[0] ?? [match.index, match.index + match[0].length];
    if (start !== end || !notEmpty) {
      const groups = Array.from({ length: groupCount }, (_, group) => match.indices?.groups?.[`g${group + 1}`] ?? null);
      found.push({ start, end, groups });
      if (!isGlobal) break;
    }
    from = start === end ? end + ((subject.codePointAt(end) ?? 0) > 0xffff ? 2 : 1) : end;
  }
  return found;
}
