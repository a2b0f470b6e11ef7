/** Whether a path, from the root of a repository and without a leading slash, is meant by a pattern. */
export type PathPattern = (path: string) => boolean;

/** More alternatives in braces than this are not expanded. */
const alternativesMax = 64;

/**
 * A glob over whole paths: `*` and `?` stay within a folder, `**` crosses folders, `{a,b}` are alternatives. Matching
 * takes time in proportion to pattern times path: patterns are written by others.
 */
export function compileGlob(glob: string): PathPattern {
  const patterns = expandBraces(glob.replace(/^\/+/, '')).map((each) => each.split('/'));
  return (path) => {
    const folders = path.split('/');
    return patterns.some((pattern) => matchesFolders(pattern, folders));
  };
}

/** A path against the parts of a pattern, where the part `**` stands for any number of folders. */
export function matchesFolders(pattern: readonly string[], path: readonly string[]): boolean {
  return matchesSequence(
    pattern.length,
    path.length,
    (at) => pattern[at] === '**',
    (at, index) => matchesName(pattern[at] ?? '', path[index] ?? ''),
  );
}

/** One name against a pattern of `*` and `?`; a backslash takes the next character as it is. */
function matchesName(pattern: string, name: string): boolean {
  if (!/[*?\\]/.test(pattern)) return pattern === name;
  const parts = pattern.match(/\\.|[\s\S]/g) ?? [];
  return matchesSequence(
    parts.length,
    name.length,
    (at) => parts[at] === '*',
    (at, index) => parts[at] === '?' || parts[at]?.slice(-1) === name[index],
  );
}

/**
 * Goes back to the last star only, which is enough: what stands before it matched as early as it could. So the time is
 * bounded by the product of both lengths.
 */
function matchesSequence(
  patternLength: number,
  length: number,
  isStar: (at: number) => boolean,
  fits: (at: number, index: number) => boolean,
): boolean {
  let at = 0;
  let index = 0;
  let star = -1;
  let resume = 0;
  while (index < length) {
    if (at < patternLength && isStar(at)) {
      star = at;
      resume = index;
      at += 1;
    } else if (at < patternLength && fits(at, index)) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      index = resume;
    } else return false;
  }
  while (at < patternLength && isStar(at)) at += 1;
  return at === patternLength;
}

function expandBraces(glob: string): readonly string[] {
  const waiting = [glob];
  const done: string[] = [];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    const found = /\{([^{}]*,[^{}]*)\}/.exec(each);
    if (!found || waiting.length + done.length >= alternativesMax) {
      done.push(each);
      continue;
    }
    const [whole, list = ''] = found;
    for (const choice of list.split(',')) {
      waiting.push(each.slice(0, found.index) + choice + each.slice(found.index + whole.length));
    }
  }
  return done;
}
