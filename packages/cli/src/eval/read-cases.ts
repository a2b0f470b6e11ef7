import { ApiError, type Client } from '@portolan/contract/client';
import { type Entity, listEntities } from '@portolan/contract/entities';
import type { Issue } from '@portolan/contract/errors';
import {
  type EvalSetup,
  evalBlueprints,
  evalSetup,
  type Grader,
  grader,
  graderNames,
} from '@portolan/contract/evaluation';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { counted } from '../output.ts';
import { explainBadSchema } from './answer-schema.ts';
import { compilePattern, compileToolPattern } from './patterns.ts';

/** A question with what is expected of its answer. */
export interface EvalCase {
  readonly identifier: string;
  readonly question: string;
  readonly agent?: string;
  readonly setup: EvalSetup;
  readonly expect: readonly Grader[];
  readonly tags: readonly string[];
}

/** Which cases are asked: with one of the tags, and of one of the agents, if there are any. */
export interface CaseSelection {
  readonly tags: readonly string[];
  readonly agents: readonly string[];
}

/**
 * Reads the cases that are selected. Others may be written wrong.
 * @throws CliError `eval_not_set_up`, `eval_no_cases`, `eval_case_invalid` with every issue
 */
export async function readCases(client: Client, { tags, agents }: CaseSelection): Promise<EvalCase[]> {
  const entities = await listCases(client);
  const read = entities.map((entity) => {
    const issues: Issue[] = [];
    return { each: toCase(entity, issues), issues };
  });
  const selected = read.filter(
    ({ each }) =>
      (tags.length === 0 || tags.some((tag) => each.tags.includes(tag))) &&
      (agents.length === 0 || (each.agent !== undefined && agents.includes(each.agent))),
  );
  if (selected.length === 0) {
    const all = counted(entities.length, 'case');
    const why = entities.length === 0 ? '"portolan eval init" makes examples' : `there are ${all} in all`;
    throw setupError('eval_no_cases', `There is no such case to ask; ${why}.`);
  }
  const wrong = selected.flatMap(({ issues }) => issues);
  if (wrong.length === 0) return selected.map(({ each }) => each);
  const message = 'Cases are not written as they have to be; nothing was asked.';
  throw setupError('eval_case_invalid', message, wrong);
}

async function listCases(client: Client): Promise<readonly CaseEntity[]> {
  try {
    return (await client.call(listEntities, { params: { blueprint_identifier: evalBlueprints.cases } })).entities;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    const message = `There is no blueprint ${evalBlueprints.cases}. "portolan eval init" makes it, with examples.`;
    throw setupError('eval_not_set_up', message);
  }
}

/** An evaluation that cannot begin, or not go on. */
export function setupError(code: string, message: string, issues: readonly Issue[] = []): CliError {
  return new CliError(exitCodes.usage, code, message, issues);
}

/** What is read of the entity of a case. */
type CaseEntity = { readonly [Key in 'identifier' | 'properties' | 'relations']?: Entity[Key] | undefined };

/** The case of an entity; what is wrong with it is added to the issues, under its identifier. */
export function toCase({ identifier = '', properties = {}, relations = {} }: CaseEntity, issues: Issue[]): EvalCase {
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
      toGrader(each, (path, message) => add(joinPath(['expect', index, ...path]), message)),
    ),
    tags: Array.isArray(tags) ? tags.map(String) : [],
  };
}

type AddIssue = (path: readonly PropertyKey[], message: string) => void;

function toGrader(value: unknown, add: AddIssue): Grader[] {
  const name = (value as { grader?: unknown } | null)?.grader;
  if (typeof name !== 'string' || !graderNames.includes(name)) {
    const told = name === undefined ? 'must name a grader' : `${JSON.stringify(name)} is no grader`;
    add(['grader'], `${told}; there are ${graderNames.join(', ')}`);
    return [];
  }
  const { data, error } = grader.safeParse(value);
  for (const issue of error?.issues ?? []) add(issue.path, sentenceFor(issue));
  if (!data) return [];
  addUsageIssues(data, add);
  return [data];
}

/** What the schema cannot say: patterns and schemas that do not compile, and graders that pass whatever is said. */
function addUsageIssues(each: Grader, add: AddIssue): void {
  switch (each.grader) {
    case 'regex':
      addFailure(() => compilePattern(each.pattern, each.flags), ['pattern'], add);
      break;
    case 'tool_called':
    case 'not_called':
      addFailure(() => compileToolPattern(each.tool), ['tool'], add);
      break;
    case 'json_schema': {
      const problem = explainBadSchema(each.schema);
      if (problem !== undefined) add(['schema'], `is no usable schema: ${problem}`);
      break;
    }
    case 'contains':
      if (!each.all && !each.any && !each.none) add([], 'must have "all", "any" or "none"');
      break;
    case 'query':
      if (each.partial && each.compare === 'count') add(['partial'], 'has no meaning where numbers are compared');
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
