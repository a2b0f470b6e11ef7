import type { Entity } from '@portolan/contract/entities';
import type { Issue } from '@portolan/contract/errors';
import { type EvalSetup, evalSetup, type Grader, grader, graderNames } from '@portolan/contract/evaluation';
import { compileToolPattern, type GraderKit } from './grader-kit.ts';

/** A question with what is expected of its answer. */
export interface EvalCase {
  readonly identifier: string;
  readonly question: string;
  readonly agent?: string;
  readonly setup: EvalSetup;
  readonly expect: readonly Grader[];
  readonly tags: readonly string[];
}

/** What is read of the entity of a case. */
export type CaseEntity = { readonly [Key in 'identifier' | 'properties' | 'relations']?: Entity[Key] | undefined };

/** The case of an entity; what is wrong with it is added to the issues, under its identifier. */
export function toCase(
  { identifier = '', properties = {}, relations = {} }: CaseEntity,
  kit: GraderKit,
  issues: Issue[],
): EvalCase {
  const { question, expect, setup, tags } = properties;
  const add = (path: string, message: string): void => void issues.push({ path: `${identifier}/${path}`, message });
  if (typeof question !== 'string' || question.trim() === '') add('question', 'must be a question');
  const graders = Array.isArray(expect) ? expect : [];
  if (graders.length === 0) add('expect', 'must hold at least one grader: without one every answer would be right');
  const parsedSetup = evalSetup.safeParse(setup ?? {});
  for (const issue of parsedSetup.error?.issues ?? []) add(joinPath(['setup', ...issue.path]), sentenceFor(issue));
  const agent = relations['agent'];
  if (agent && parsedSetup.data?.systemPrompt) {
    add('setup/systemPrompt', 'has no effect: the agent that is asked has a prompt of its own');
  }
  return {
    identifier,
    question: String(question),
    ...(typeof agent === 'string' ? { agent } : {}),
    setup: parsedSetup.data ?? {},
    expect: graders.flatMap((each, index) =>
      toGrader(each, kit, (path, message) => add(joinPath(['expect', index, ...path]), message)),
    ),
    tags: Array.isArray(tags) ? tags.map(String) : [],
  };
}

type AddIssue = (path: readonly PropertyKey[], message: string) => void;

function toGrader(value: unknown, kit: GraderKit, add: AddIssue): Grader[] {
  const name = (value as { grader?: unknown } | null)?.grader;
  if (typeof name !== 'string' || !graderNames.includes(name)) {
    const told = name === undefined ? 'must name a grader' : `${JSON.stringify(name)} is no grader`;
    add(['grader'], `${told}; there are ${graderNames.join(', ')}`);
    return [];
  }
  const { data, error } = grader.safeParse(value);
  for (const issue of error?.issues ?? []) add(issue.path, sentenceFor(issue));
  if (!data) return [];
  addUsageIssues(data, kit, add);
  return [data];
}

/** What the schema cannot say: patterns and schemas that do not compile, and graders that pass whatever is said. */
function addUsageIssues(each: Grader, kit: GraderKit, add: AddIssue): void {
  switch (each.grader) {
    case 'regex':
      addFailure(() => kit.compilePattern(each.pattern, each.flags), ['pattern'], add);
      break;
    case 'tool_called':
    case 'not_called':
      addFailure(() => compileToolPattern(kit, each.tool), ['tool'], add);
      break;
    case 'json_schema': {
      if (!kit.schemas) {
        add([], 'is for the command line: a browser cannot check JSON schemas');
        break;
      }
      const problem = kit.schemas.explainBad(each.schema);
      if (problem !== undefined) add(['schema'], `is no usable schema: ${problem}`);
      break;
    }
    case 'contains':
      if (!each.all && !each.any && !each.none) add([], 'must have "all", "any" or "none"');
      break;
    case 'query':
      if (each.partial && each.compare === 'count') add(['partial'], 'has no meaning where numbers are compared');
      break;
    case 'judge':
      if ((each.provider === undefined) !== (each.model === undefined)) {
        add(['model'], 'and "provider" go together');
      }
  }
}

function addFailure(compile: () => unknown, path: readonly string[], add: AddIssue): void {
  try {
    compile();
  } catch (error) {
    add(path, `is not a usable pattern: ${(error as Error).message}`);
  }
}

type SchemaIssue = NonNullable<ReturnType<typeof grader.safeParse>['error']>['issues'][number];

function sentenceFor(issue: SchemaIssue): string {
  if (issue.code === 'unrecognized_keys') return `has unknown members: ${issue.keys.join(', ')}`;
  if (issue.code === 'invalid_type') return `must be of type ${issue.expected}`;
  return issue.message;
}

function joinPath(parts: readonly PropertyKey[]): string {
  return parts.map(String).join('/');
}
