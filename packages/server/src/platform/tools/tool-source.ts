import { createHash } from 'node:crypto';
import type { Actor } from '../actor.ts';
import { type RegisteredTool, type ToolRegistry, toolNameProblem } from './registry.ts';
import { mayMatchStart } from './tool-patterns.ts';

/**
 * Tools that depend on who calls, beside those that everybody has: actions that a person may run, tools of connected
 * servers. Being listed is an offer and no right: a tool's `run` asks for rights anew, because lists grow old.
 */
export interface ToolSource {
  /** What the names of all its tools begin with, such as `run_`; lists are spared where no pattern can match it. */
  readonly prefix: string;
  /** What the caller may use now: a bounded number, in an order that stays the same. */
  list(actor: Actor): Promise<readonly RegisteredTool[]>;
  /** The one of that name, if the caller may use it now; also one that was too many for the list. */
  find(actor: Actor, name: string): Promise<RegisteredTool | undefined>;
  /** One tool in place of many, which does what they do and nothing beside. */
  readonly gathered?: {
    readonly name: string;
    of(tools: readonly RegisteredTool[]): RegisteredTool;
  };
}

/** More tools of one source than this crowd a model's window: they are gathered, or those beyond are left out. */
const toolsPerSourceMax = 64;

/** All tools of the installation: those that everybody has, and those of one caller. */
export interface ToolSet {
  readonly registry: ToolRegistry;
  readonly sources: readonly ToolSource[];
  /** The tools of sources that the caller may use and `wants` lets through; more than a few become one. */
  listOwn(actor: Actor, options?: ListOptions): Promise<readonly RegisteredTool[]>;
  /** By name or alias; the registry's own come first. */
  find(actor: Actor, name: string): Promise<RegisteredTool | undefined>;
}

export interface ListOptions {
  /** Lets through what is wanted of a source's list. */
  readonly select?: (tools: readonly RegisteredTool[]) => readonly RegisteredTool[];
  /** Only sources of which one of these patterns could match a name. */
  readonly patterns?: readonly string[];
  /** Gathers however few they are. */
  readonly gathers?: boolean;
}

/**
 * Puts the registry and the sources together. A tool of a source that breaks the rule of prefixes, is named outside its
 * source's prefix or like a tool that is there already, is left out and told of: it never shadows another.
 */
export function createToolSet(
  registry: ToolRegistry,
  sources: readonly ToolSource[] = [],
  onProblem: (problem: string) => void = () => {},
): ToolSet {
  const known = new WeakMap<RegisteredTool, boolean>();

  function isAdmissible(source: ToolSource, tool: RegisteredTool): boolean {
    const before = known.get(tool);
    if (before !== undefined) return before;
    const problem = problemOf(source, tool);
    if (problem) onProblem(problem);
    known.set(tool, problem === undefined);
    return problem === undefined;
  }

  function problemOf(source: ToolSource, { declaration }: RegisteredTool): string | undefined {
    const { name, aliases = [], matchedAs = name } = declaration;
    const taken = [name, ...aliases].find((each) => registry.find(each));
    if (taken !== undefined) return `${taken} is the name of a tool that everybody has`;
    const outside = [name, matchedAs, ...aliases].find((each) => !each.startsWith(source.prefix));
    if (outside !== undefined) return `${outside} does not begin with ${source.prefix}`;
    return toolNameProblem(declaration);
  }

  async function listOf(source: ToolSource, actor: Actor, { select, gathers }: ListOptions) {
    const admitted = (await source.list(actor)).filter((tool) => isAdmissible(source, tool));
    const names = new Set<string>(source.gathered ? [source.gathered.name] : []);
    const distinct = admitted.filter(({ declaration: { name } }) => !names.has(name) && names.add(name));
    const wanted = select ? select(distinct) : distinct;
    if (source.gathered && wanted.length > 0 && (gathers === true || wanted.length > toolsPerSourceMax)) {
      const one = source.gathered.of(wanted);
      return isAdmissible(source, one) ? [one] : [];
    }
    if (wanted.length > toolsPerSourceMax) {
      onProblem(`${wanted.length} tools begin with ${source.prefix}; ${toolsPerSourceMax} are offered`);
    }
    return wanted.slice(0, toolsPerSourceMax);
  }

  return {
    registry,
    sources,
    async listOwn(actor, options = {}) {
      const { patterns } = options;
      const asked = sources.filter(({ prefix }) => patterns?.some((each) => mayMatchStart(each, prefix)) ?? true);
      const lists: RegisteredTool[] = [];
      const names = new Set<string>();
      for (const source of asked) {
        const own = await listOf(source, actor, options);
        lists.push(...own.filter(({ declaration: { name } }) => !names.has(name) && names.add(name)));
      }
      return lists;
    },
    async find(actor, name) {
      const shared = registry.find(name);
      if (shared) return shared;
      for (const source of sources) {
        if (!name.startsWith(source.prefix)) continue;
        if (name === source.gathered?.name) return (await listOf(source, actor, { gathers: true }))[0];
        const found = await source.find(actor, name);
        if (found && isAdmissible(source, found)) return found;
      }
      return undefined;
    },
  };
}

const nameCharactersMax = 64;
const hashCharacters = 16;
const hashed = new RegExp(`--[0-9a-f]{${hashCharacters}}$`);

/**
 * A name as models take it: letters, digits, `_` and `-`, up to 64. One that is no such name, or that looks as if it had
 * been made here, is cut and gets a hash of itself, so that two names stay two; always the same for the same name.
 */
export function safeToolName(name: string, reserved: readonly string[] = []): string {
  const isSafe = /^[A-Za-z0-9_-]{1,64}$/.test(name);
  if (isSafe && !hashed.test(name) && !reserved.includes(name)) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashCharacters);
  const start = name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, nameCharactersMax - hashCharacters - 2);
  return `${start}--${hash}`;
}
