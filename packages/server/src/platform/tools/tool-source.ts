import { createHash } from 'node:crypto';
import type { Actor } from '../actor.ts';
import { type RegisteredTool, type ToolRegistry, toolNameProblem } from './registry.ts';
import { mayMatchStart } from './tool-patterns.ts';

/**
 * Tools that depend on the caller, beside the registry: actions they may run, tools of connected servers. Listing
 * grants no right: `run` checks again, because lists grow old.
 */
export interface ToolSource {
  /** Common prefix of its tools' names, such as `run_`; the source is skipped if no pattern can match it. */
  readonly prefix: string;
  /** What the caller may use now: bounded, in a stable order. */
  list(actor: Actor): Promise<readonly RegisteredTool[]>;
  /** The tool of that name if the caller may use it now, even if the list was full. */
  find(actor: Actor, name: string): Promise<RegisteredTool | undefined>;
  /** One tool that does what many do, and nothing else. */
  readonly gathered?: {
    readonly name: string;
    of(tools: readonly RegisteredTool[]): RegisteredTool;
  };
}

/** More tools of one source would crowd a model's context: they are gathered into one, or cut off. */
const toolsPerSourceMax = 64;

/** All tools: the registry's and those of one caller. */
export interface ToolSet {
  readonly registry: ToolRegistry;
  readonly sources: readonly ToolSource[];
  /** Tools of sources that the caller may use and `select` keeps; gathered beyond the limit. */
  listOwn(actor: Actor, options?: ListOptions): Promise<readonly RegisteredTool[]>;
  /** By name or alias; the registry's come first. */
  find(actor: Actor, name: string): Promise<RegisteredTool | undefined>;
}

export interface ListOptions {
  /** Filters the list of a source. */
  readonly select?: (tools: readonly RegisteredTool[]) => readonly RegisteredTool[];
  /** Skips sources whose prefix none of these patterns could match. */
  readonly patterns?: readonly string[];
  /** Gathers, however few there are. */
  readonly gathers?: boolean;
}

/**
 * Combines registry and sources. A source's tool that breaks the rule of prefixes, leaves its source's prefix or
 * repeats a name is dropped and reported: it never shadows another.
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

/** Names of tools that stand for many: nothing that people name gets one of them. */
const gatheringTools: readonly string[] = ['run_action', 'run_workflow'];

/** What the name of every tool begins with that starts an action or a workflow. */
export const startPrefix = 'run_';

/** The name of the tool that starts one action or workflow. */
export function startToolName(identifier: string): string {
  return safeToolName(startPrefix + identifier, gatheringTools);
}

const nameCharactersMax = 64;
const hashCharacters = 16;
const hashed = new RegExp(`--[0-9a-f]{${hashCharacters}}$`);

/**
 * A name that models accept: letters, digits, `_` and `-`, up to 64. Others, and those that look generated, are cut and
 * get a hash of themselves, so that two names stay two; deterministic.
 */
export function safeToolName(name: string, reserved: readonly string[] = []): string {
  const isSafe = /^[A-Za-z0-9_-]{1,64}$/.test(name);
  if (isSafe && !hashed.test(name) && !reserved.includes(name)) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashCharacters);
  const start = name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, nameCharactersMax - hashCharacters - 2);
  return `${start}--${hash}`;
}
