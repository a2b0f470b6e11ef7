import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type EvalRecording, evalRecording } from '@portolan/contract/evaluation-recording';
import {
  type Answering,
  type AnswerRun,
  type CaseQuestion,
  EvaluationError,
  type Gold,
  type JudgeQuestion,
  searchKey,
  type Transcript,
} from '@portolan/evaluation';

/** What an answer depends on, apart from the catalog. A recorded answer is stale as soon as one of these differs. */
export interface AskedAs {
  readonly question: string;
  /** The system prompt that is sent, or that of the agent with what else the agent is. */
  readonly prompt: string;
  /** As the variant names it; else what the organization has, which a replay cannot know. */
  readonly model: string;
  /** Patterns of tools, and the tools that they choose from. */
  readonly tools: string;
}

const askedParts = ['question', 'prompt', 'model', 'tools'] as const;

type Describe = (question: CaseQuestion) => AskedAs;

/**
 * Answers from elsewhere, kept in a folder: a file for each case, variant and trial, with the answers of its judges.
 * What searches found is kept beside them.
 */
export function recording(answering: Answering, folder: string, describe: Describe): Answering {
  const keep = async (name: string, content: EvalRecording): Promise<void> => {
    await writeFile(join(folder, name), `${JSON.stringify(content, null, 2)}\n`);
  };
  return {
    ...answering,
    ask: async (question, signal) => {
      const transcript = await answering.ask(question, signal);
      const asked = hashParts(describe(question));
      await keep(fileOfAnswer(question), { kind: 'answer', asked, transcript: toRecorded(transcript) });
      return transcript;
    },
    judge: async (question, signal) => {
      const answer = await answering.judge(question, signal);
      await keep(fileOfJudge(question), { kind: 'judge', answer });
      return answer;
    },
    search: async (grader) => {
      const gold = await answering.search(grader);
      await keep(fileOfSearch(grader), { kind: 'search', gold: gold.map((names) => [...names]) });
      return gold;
    },
  };
}

/**
 * The answers of a folder; nothing is asked and nothing declined. A search that was not recorded is made now.
 * @throws EvaluationError `eval_recording_missing`, `eval_recording_stale`
 */
export function replaying(
  live: Pick<Answering, 'search' | 'explainRefusal'>,
  folder: string,
  describe: Describe,
): Answering {
  return {
    ask: async (question) => {
      const recorded = await read(folder, fileOfAnswer(question), 'answer');
      const name = `${question.asked.identifier} (${question.variant.name}, trial ${question.trial + 1})`;
      if (!recorded) throw missing(name);
      const now = hashParts(describe(question));
      const changed = askedParts.filter((part) => now[part] !== recorded.asked[part]);
      if (changed.length > 0) throw stale(name, changed);
      const { error, ...transcript } = recorded.transcript;
      return { ...transcript, ...(error === undefined ? {} : { error }) };
    },
    judge: async (question) => {
      const recorded = await read(folder, fileOfJudge(question), 'judge');
      if (!recorded) throw missing(`${question.asked.identifier}, its judge with this rubric and answer`);
      return recorded.answer;
    },
    decline: async () => true,
    search: async (grader): Promise<Gold> =>
      (await read(folder, fileOfSearch(grader), 'search'))?.gold ?? live.search(grader),
    explainRefusal: live.explainRefusal,
  };
}

/** Makes the folder of a recording. @throws EvaluationError `eval_file_not_written` */
export async function openRecording(folder: string, workingDirectory: string): Promise<string> {
  const path = resolve(workingDirectory, folder);
  await mkdir(path, { recursive: true }).catch((cause: Error) => {
    throw new EvaluationError('eval_file_not_written', `${folder} cannot be made: ${cause.message}.`);
  });
  return path;
}

/** Without the hashes of drafts, which are declined by now. */
function toRecorded(transcript: Transcript): Extract<EvalRecording, { kind: 'answer' }>['transcript'] {
  return {
    ...transcript,
    toolCalls: [...transcript.toolCalls],
    runs: transcript.runs.map(({ inputsHash: _, properties, ...run }) => ({ ...run, properties: toJson(properties) })),
  };
}

/** What came as JSON is JSON. */
function toJson(properties: AnswerRun['properties']) {
  return properties as Record<string, ReturnType<typeof JSON.parse>>;
}

function missing(name: string): EvaluationError {
  const message = `There is no recorded answer for ${name}. Record it with --record.`;
  return new EvaluationError('eval_recording_missing', message);
}

function stale(name: string, changed: readonly string[]): EvaluationError {
  const parts = changed.join(' and ');
  const message = `The recorded answer for ${name} is stale: ${parts} changed since. Record it again with --record.`;
  return new EvaluationError('eval_recording_stale', message);
}

async function read<Kind extends EvalRecording['kind']>(folder: string, name: string, kind: Kind) {
  const text = await readFile(join(folder, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new EvaluationError('eval_recording_unreadable', `${name} cannot be read: ${error.message}.`);
  });
  if (text === undefined) return undefined;
  const { data, error } = evalRecording.safeParse(parseJson(text));
  if (data?.kind === kind) return data as Extract<EvalRecording, { kind: Kind }>;
  const told = error?.issues[0]?.message ?? 'it is of another kind';
  throw new EvaluationError('eval_recording_unreadable', `${name} is no recorded answer: ${told}.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function hashParts(asked: AskedAs): AskedAs {
  const { question, prompt, model, tools } = asked;
  return { question: hash(question), prompt: hash(prompt), model: hash(model), tools: hash(tools) };
}

function hash(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);
}

/** Names of files say what they are for, whatever the identifiers hold. */
function fileOf(readable: string, ...parts: readonly string[]): string {
  return `${readable.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60)}.${hash(...parts)}.json`;
}

function fileOfAnswer({ asked, variant, trial }: CaseQuestion): string {
  return fileOf(asked.identifier, 'answer', asked.identifier, variant.name, String(trial));
}

function fileOfJudge({ asked, grader, answer }: JudgeQuestion): string {
  return fileOf(`${asked.identifier}-judge`, 'judge', asked.question, JSON.stringify(grader), answer);
}

function fileOfSearch(grader: Parameters<Answering['search']>[0]): string {
  return fileOf(`search-${grader.blueprint}`, 'search', searchKey(grader));
}
