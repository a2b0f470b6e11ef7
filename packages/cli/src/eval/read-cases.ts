import { ApiError, type Client } from '@portolan/contract/client';
import { listEntities } from '@portolan/contract/entities';
import type { Issue } from '@portolan/contract/errors';
import { evalBlueprints } from '@portolan/contract/evaluation';
import { type CaseEntity, type EvalCase, toCase } from '@portolan/evaluation';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { counted } from '../output.ts';
import { nodeGraderKit } from './node-grader-kit.ts';

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
    return { each: toCase(entity, nodeGraderKit, issues), issues };
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
