import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type EvalReport, evalReport } from '@portolan/contract/evaluation';
import { combineVariants, type Variant } from '@portolan/evaluation';
import { usageError } from '../cli-error.ts';
import type { Arguments, Option } from '../command.ts';
import type { Context } from '../context.ts';
import type { Gates } from './judge-report.ts';
import type { CaseSelection } from './read-cases.ts';

const repeatable = { type: 'string', isRepeatable: true } as const;

export const evalOptions = {
  tag: { ...repeatable, placeholder: 'tag', description: 'ask the cases with this tag; again for more' },
  agent: { ...repeatable, placeholder: 'id', description: 'ask the cases of this agent; again for more' },
  model: {
    ...repeatable,
    placeholder: 'provider/model',
    description: 'answer with this model; again to compare several',
  },
  prompt: {
    ...repeatable,
    placeholder: 'file',
    description: 'send the text of this file as system prompt; again to compare several',
  },
  'as-agent': {
    ...repeatable,
    placeholder: 'id',
    description: 'ask this agent in place of that of the cases; again to compare several',
  },
  trials: { type: 'string', placeholder: 'n', description: 'ask each case so often (1 to 20)' },
  baseline: { type: 'string', placeholder: 'file', description: 'compare with this file of an earlier --json' },
  'fail-below': { type: 'string', placeholder: 'share', description: 'fail if a smaller share is right, such as 0.9' },
  'max-cost': { type: 'string', placeholder: 'dollars', description: 'ask no further once this much is spent' },
  json: { type: 'string', placeholder: 'file', description: 'write everything as JSON; - for stdout' },
  junit: { type: 'string', placeholder: 'file', description: 'write JUnit XML' },
  record: { type: 'string', placeholder: 'folder', description: 'keep every answer as a file, for --replay' },
  replay: { type: 'string', placeholder: 'folder', description: 'grade the answers of --record; no model is asked' },
  'judge-alone': { type: 'boolean', description: 'let a gate pass on the word of a judge alone' },
  'no-record': { type: 'boolean', description: 'keep no entities of the run' },
} as const satisfies Record<string, Option>;

/** A call of `portolan eval` as it was meant; nothing was sent yet. */
export interface EvalCall extends Gates, CaseSelection {
  readonly variants: readonly Variant[];
  readonly trials: number;
  readonly baseline: EvalReport | undefined;
  readonly jsonFile: string | undefined;
  readonly junitFile: string | undefined;
  readonly isRecorded: boolean;
  /** The folder that answers are kept in, or read from. */
  readonly recordFolder: string | undefined;
  readonly replayFolder: string | undefined;
  /** Whether a gate may rest on a judge and nothing else. */
  readonly isJudgeEnough: boolean;
}

/** @throws CliError `usage` */
export async function readEvalCall(input: Arguments, context: Context): Promise<EvalCall> {
  const models = distinct(input, 'model').map(readModel);
  const agents = distinct(input, 'as-agent').map((agent) => ({ agent }));
  const files = distinct(input, 'prompt');
  const prompts = await Promise.all(files.map(async (file) => ({ prompt: await readPrompt(file, context) })));
  const [recordFolder, replayFolder] = [input.text('record'), input.text('replay')];
  if (recordFolder !== undefined && replayFolder !== undefined) {
    throw usageError('--record and --replay exclude each other.');
  }
  const baselineFile = input.text('baseline');
  return {
    tags: input.list('tag'),
    agents: input.list('agent'),
    variants: combineVariants(models, [...agents, ...prompts]),
    trials: readNumber(input, 'trials', { min: 1, max: 20, isWhole: true }) ?? 1,
    baseline: baselineFile === undefined ? undefined : await readBaseline(baselineFile, context),
    failBelow: readNumber(input, 'fail-below', { min: 0, max: 1 }),
    costMax: readNumber(input, 'max-cost', { min: 0, max: 1e6 }),
    jsonFile: input.text('json'),
    junitFile: input.text('junit'),
    // what was answered before is no new run
    isRecorded: !input.flag('no-record') && replayFolder === undefined,
    recordFolder,
    replayFolder,
    isJudgeEnough: input.flag('judge-alone'),
  };
}

function distinct(input: Arguments, name: string): readonly string[] {
  const values = input.list(name);
  const again = values.find((value, index) => values.indexOf(value) !== index);
  if (again !== undefined) throw usageError(`--${name} "${again}" is there twice.`);
  return values;
}

function readModel(text: string): NonNullable<Variant['model']> {
  const at = text.indexOf('/');
  const [provider, model] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || model === '') throw usageError(`--model "${text}" is not provider/model, such as openai/gpt-5.`);
  return { provider, model };
}

async function readPrompt(file: string, context: Context): Promise<NonNullable<Variant['prompt']>> {
  const text = await readText(file, context);
  if (text.trim() === '') throw usageError(`--prompt ${file} is empty.`);
  return { file, text };
}

async function readBaseline(file: string, context: Context): Promise<EvalReport> {
  const text = await readText(file, context);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw usageError(`--baseline ${file} is no JSON.`);
  }
  const { data, error } = evalReport.safeParse(value);
  if (data) return data;
  const [issue] = error.issues;
  throw usageError(
    `--baseline ${file} is no file of "portolan eval --json": ${issue?.path.join('/')}: ${issue?.message}.`,
  );
}

async function readText(file: string, { workingDirectory }: Context): Promise<string> {
  return readFile(resolve(workingDirectory, file), 'utf8').catch((cause: Error) => {
    throw usageError(`${file} cannot be read: ${cause.message}.`);
  });
}

function readNumber(
  input: Arguments,
  name: string,
  { min, max, isWhole = false }: { readonly min: number; readonly max: number; readonly isWhole?: boolean },
): number | undefined {
  const text = input.text(name);
  if (text === undefined) return undefined;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= min && value <= max && (!isWhole || Number.isInteger(value))) return value;
  throw usageError(`--${name} "${text}" is no ${isWhole ? 'whole ' : ''}number from ${min} to ${max}.`);
}
