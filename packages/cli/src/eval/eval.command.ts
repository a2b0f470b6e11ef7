import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Client } from '@portolan/contract/client';
import type { EvalReport } from '@portolan/contract/evaluation';
import {
  type Answering,
  type EvalCase,
  type Evaluation,
  EvaluationError,
  type EvaluationPlan,
  initEvaluation,
  liveAnswering,
  runEvaluation,
} from '@portolan/evaluation';
import { CliError, usageError } from '../cli-error.ts';
import type { Arguments, Command } from '../command.ts';
import { connectionOptions } from '../config.ts';
import { connect, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { counted, printable } from '../output.ts';
import { openRecording, recording, replaying } from './cassette.ts';
import { checkJudges } from './check-judges.ts';
import { describeAsked, readAgents } from './describe-asked.ts';
import { type EvalCall, evalOptions, readEvalCall } from './eval-options.ts';
import { buildReport } from './eval-report.ts';
import { reportText } from './eval-text.ts';
import { evaluationApi, setupApi } from './evaluation-api.ts';
import { judgeReport } from './judge-report.ts';
import { toJunit } from './junit.ts';
import { nodeGraderKit } from './node-grader-kit.ts';
import { showProgress } from './progress.ts';
import { readCases, setupError } from './read-cases.ts';
import { recordRun } from './record-runs.ts';

export const evalCommand: Command = {
  name: 'eval',
  summary: 'Ask questions with known answers, and compare models, prompts and agents',
  usage: ['eval init [options]', 'eval [options]'],
  details: [
    'init makes the blueprint of cases and examples. Each case is asked with the mode "Manual Approval": actions are',
    'drafted and the drafts declined, nothing is executed. At most 4 questions are asked at once.',
    'Exit code 1: a gate failed, or fewer cases are right than in the baseline, by more than chance explains.',
    'Exit code 2: the evaluation could not be set up or finished.',
  ],
  options: { ...evalOptions, ...connectionOptions },
  examples: [
    'eval init',
    'eval --fail-below 0.9 --junit eval.xml --json eval.json',
    'eval --model openai/gpt-5 --model anthropic/claude-haiku-4-5-20251001 --trials 3 --max-cost 2.00',
    'eval --prompt new-prompt.md --baseline eval.json',
    'eval --replay recorded --fail-below 0.9',
  ],
  run,
};

async function run(input: Arguments, context: Context): Promise<ExitCode> {
  const [verb, ...rest] = input.words;
  if (verb !== undefined && verb !== 'init')
    throw usageError(`"eval ${verb}" is not known. There are: eval, eval init.`);
  if (rest.length > 0) throw usageError(`"${rest[0]}" is one word too many.`);
  const call = await readEvalCall(input, context);
  const { client, address } = connect(input, context);
  try {
    return await explained(address, () => (verb === 'init' ? init(client, context) : evaluate(client, call, context)));
  } catch (error) {
    if (error instanceof EvaluationError) throw setupError(error.code, error.message, error.issues);
    // 1 means a failed gate to a pipeline
    if (!(error instanceof CliError) || error.exitCode !== exitCodes.failed) throw error;
    throw setupError(error.code, error.message, error.issues);
  }
}

async function init(client: Client, { out }: Context): Promise<ExitCode> {
  const steps = await initEvaluation(setupApi(client));
  out.write(steps.map(({ what, made }) => `${what}: ${made ? 'made' : 'is there already'}\n`).join(''));
  return exitCodes.ok;
}

async function evaluate(client: Client, call: EvalCall, context: Context): Promise<ExitCode> {
  const cases = await readCases(client, call);
  checkPrompts(cases, call);
  checkJudges(cases, call);
  await checkFiles(call, context);
  const { variants, trials, costMax, baseline } = call;
  const plan: EvaluationPlan = { run: randomUUID(), cases, variants, trials, costMax };
  const answering = await chooseAnswering(client, plan, call, context);
  const startedAt = new Date();
  const evaluation = await runInterruptibly(answering, plan, context);
  const report = buildReport(plan, startedAt, evaluation, baseline);
  const reasons = judgeReport(report, call, evaluation.notAsked);
  const passed = reasons.length === 0;
  await writeFiles({ ...report, passed }, call, context);
  if (call.jsonFile !== '-') context.out.write(printable(reportText(report), context.out));
  if (call.isRecorded) await record(client, { ...report, passed }, context);
  noteDrafts(evaluation, context);
  for (const reason of reasons) context.err.write(printable(`${reason}\n`, context.err));
  return passed ? exitCodes.ok : exitCodes.failed;
}

/** An agent has a prompt of its own, and no other is sent to it. @throws CliError `eval_prompt_of_agent` */
function checkPrompts(cases: readonly EvalCase[], { variants }: EvalCall): void {
  const isPrompted = variants.some(({ prompt }) => prompt);
  const isAsAgent = variants.some(({ agent }) => agent);
  const issues = cases.flatMap(({ identifier, agent, setup }) => [
    ...(isPrompted && agent
      ? [{ path: identifier, message: `asks the agent ${agent}, and --prompt is for the assistant` }]
      : []),
    ...(isAsAgent && setup.systemPrompt
      ? [{ path: `${identifier}/setup/systemPrompt`, message: 'has no effect on the agent of --as-agent' }]
      : []),
  ]);
  if (issues.length === 0) return;
  throw setupError('eval_prompt_of_agent', 'Agents take no system prompt. Select other cases with --tag.', issues);
}

/** The assistant, kept in a folder if so wanted, or the answers of such a folder. @throws EvaluationError, CliError */
async function chooseAnswering(
  client: Client,
  { run, cases, variants }: EvaluationPlan,
  { recordFolder, replayFolder }: EvalCall,
  context: Context,
): Promise<Answering> {
  const agents = await readAgents(client, cases, variants);
  const live = liveAnswering(evaluationApi(client, context), run);
  if (replayFolder !== undefined) {
    return replaying(live, resolve(context.workingDirectory, replayFolder), await describeAsked(client, agents));
  }
  if (recordFolder === undefined) return live;
  const folder = await openRecording(recordFolder, context.workingDirectory);
  return recording(live, folder, await describeAsked(client, agents));
}

/** Before anything is asked: answers that cannot be written down are paid all the same. @throws CliError `eval_file_not_written` */
async function checkFiles({ jsonFile, junitFile }: EvalCall, { workingDirectory }: Context): Promise<void> {
  for (const file of [jsonFile, junitFile]) {
    if (file === undefined || file === '-') continue;
    await access(dirname(resolve(workingDirectory, file)), constants.W_OK).catch((cause: Error) => {
      throw setupError('eval_file_not_written', `${file} cannot be written: ${cause.message}.`);
    });
  }
}

/** Ctrl-C ends the evaluation and cancels what is being answered. @throws CliError `interrupted` */
async function runInterruptibly(answering: Answering, plan: EvaluationPlan, context: Context): Promise<Evaluation> {
  const leave = new AbortController();
  const forget = context.onInterrupt(() => {
    // a second Ctrl-C ends the command at once
    forget();
    leave.abort();
  });
  const progress = showProgress(context.err);
  try {
    const evaluation = await runEvaluation(answering, nodeGraderKit, plan, leave.signal, progress.show);
    if (!leave.signal.aborted) return evaluation;
  } catch (error) {
    if (!leave.signal.aborted) throw error;
  } finally {
    forget();
    progress.end();
  }
  throw new CliError(exitCodes.interrupted, 'eval_interrupted', `The evaluation ${plan.run} was interrupted.`);
}

async function writeFiles(report: EvalReport, { jsonFile, junitFile }: EvalCall, context: Context): Promise<void> {
  const json = `${JSON.stringify(report, null, 2)}\n`;
  if (jsonFile === '-') context.out.write(json);
  else if (jsonFile !== undefined) await write(jsonFile, json, context);
  if (junitFile !== undefined) await write(junitFile, toJunit(report), context);
}

async function write(file: string, text: string, { workingDirectory }: Context): Promise<void> {
  await writeFile(resolve(workingDirectory, file), text).catch((cause: Error) => {
    throw setupError('eval_file_not_written', `${file} cannot be written: ${cause.message}.`);
  });
}

async function record(client: Client, report: EvalReport, { err }: Context): Promise<void> {
  const problem = await recordRun(client, report);
  if (problem !== undefined) err.write(printable(`The run was not kept as entities: ${problem}\n`, err));
}

function noteDrafts({ results }: Evaluation, { err }: Context): void {
  const left = results.flatMap(({ trials }) => trials).reduce((sum, { draftsLeft }) => sum + draftsLeft, 0);
  if (left > 0) err.write(`${counted(left, 'draft')} could not be declined by you and will expire.\n`);
}
