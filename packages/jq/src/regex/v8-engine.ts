import { type Context, createContext, Script } from 'node:vm';
import { LruCache } from '../lru-cache.ts';
import type { BacktrackEngine, RegexMatch } from './regex-engine.ts';

const attemptsMax = 4;

/** Runs inside the context, where V8's watchdog can interrupt it; sees only the request. */
const matchAllSource = `
  (() => {
    const matcher = new RegExp(request.source, request.flags + 'g');
    const found = [];
    for (let from = 0; from <= request.subject.length;) {
      matcher.lastIndex = from;
      const match = matcher.exec(request.subject);
      if (match === null) break;
      const [start, end] = match.indices[0];
      if (start !== end || !request.notEmpty) {
        const groups = [];
        for (let group = 1; group <= request.groupCount; group++) groups.push(match.indices.groups['g' + group] ?? null);
        found.push({ start, end, groups });
        if (!request.isGlobal) break;
      }
      from = start === end ? end + (request.subject.codePointAt(end) > 0xffff ? 2 : 1) : end;
    }
    return found;
  })()
`;

/**
 * V8's own engine in a separate context, stopped by the watchdog of `node:vm` (which really interrupts a match).
 * About 5,000 matches a second: for the few patterns that RE2 refuses.
 */
export function createV8Engine(): BacktrackEngine {
  let context: Context | undefined;
  const script = new Script(matchAllSource);
  const refused = new LruCache<string, true>(100);
  return {
    matchAll(request) {
      context ??= createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
      const key = `${request.flags} ${request.source} ${request.subject}`;
      if (refused.get(key)) return undefined;
      (context as { request?: unknown }).request = request;
      const timeout = Math.max(1, Math.ceil(request.timeMs));
      try {
        for (let attempt = 1; ; attempt++) {
          const before = process.cpuUsage();
          try {
            return copied(script.runInContext(context, { timeout }) as RegexMatch[]);
          } catch (error) {
            if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
            // The watchdog counts time, not work: on a busy machine a match that hardly ran gets another try.
            const spentMs = process.cpuUsage(before).user / 1_000;
            if (spentMs < timeout / 2 && attempt < attemptsMax) continue;
            // A refused request is remembered: a template or a loop would pay the deadline each time.
            if (key.length < 4_096) refused.set(key, true);
            return undefined;
          }
        }
      } finally {
        (context as { request?: unknown }).request = undefined;
      }
    },
  };
}

/** Copies values into our own realm, so that no object of the context leaks out. */
function copied(matches: RegexMatch[]): RegexMatch[] {
  return Array.from(matches, ({ start, end, groups }) => ({
    start,
    end,
    groups: Array.from(groups, (group) => (group === null ? null : ([group[0], group[1]] as const))),
  }));
}
