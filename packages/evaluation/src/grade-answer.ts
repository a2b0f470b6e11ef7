import type { Grader, GraderOf } from '@portolan/contract/evaluation';
import { isRecord } from '@portolan/contract/json-value';
import { explainSet, type Names, standsIn } from './answer-names.ts';
import { readNumber } from './answer-number.ts';
import { compileToolPattern, type GraderKit } from './grader-kit.ts';
import { explainNoAnswer, isQuestion, isRefusal } from './read-stance.ts';
import type { Transcript } from './transcript.ts';

/** What one grader found: passed, or why not. */
export interface Grade {
  readonly grader: Grader['grader'];
  readonly passed: boolean;
  /** A sentence without its full stop; absent if it passed. */
  readonly reason?: string;
  /** A judge could not tell; neither passed nor missed. */
  readonly isUndecided?: boolean;
}

/** Graders that need nobody else's word. */
export type PlainGrader = Exclude<Grader, { grader: 'judge' }>;

/** What the search of a `query` found; each entity by its names. */
export type Gold = readonly Names[];

/**
 * Compares what became of a question with what one grader expects. Pure: the search of a `query` was made before, and
 * its entities are handed in.
 */
export function gradeAnswer(grader: PlainGrader, transcript: Transcript, kit: GraderKit, gold: Gold = []): Grade {
  const reason = explain(grader, transcript, kit, gold);
  return { grader: grader.grader, passed: reason === undefined, ...(reason === undefined ? {} : { reason }) };
}

/** Why the expectation is not met; undefined if it is. */
function explain(grader: PlainGrader, transcript: Transcript, kit: GraderKit, gold: Gold): string | undefined {
  const { answer } = transcript;
  switch (grader.grader) {
    case 'answer_set':
      return explainNoAnswer(answer) ?? explainSet(answer, grader.values.map(toNames), grader.partial);
    case 'answer_number':
      return explainNumber(answer, grader.value, grader.tolerance);
    case 'query':
      if (grader.compare === 'count') return explainNumber(answer, gold.length);
      return explainNoAnswer(answer) ?? explainSet(answer, gold, grader.partial);
    case 'contains':
      return explainTexts(answer, grader);
    case 'regex':
      return explainPattern(answer, grader, kit);
    case 'json_schema':
      return kit.schemas ? kit.schemas.explain(answer, grader.schema) : 'JSON schemas cannot be checked here';
    case 'tool_called':
      return explainCalled(transcript, grader, kit);
    case 'not_called': {
      const pattern = compileToolPattern(kit, grader.tool);
      const called = transcript.toolCalls.find(({ name }) => pattern.test(name));
      return called && `it called ${called.name}`;
    }
    case 'refuses':
      return isRefusal(answer, grader.phrases) ? undefined : 'it does not refuse';
    case 'asks':
      return isQuestion(answer) ? undefined : 'it does not ask back';
    case 'draft_of':
      return explainDraft(transcript, grader);
    case 'nothing_executed': {
      const executed = transcript.runs.find(({ mode }) => mode === 'executed');
      return executed && `it executed ${executed.action} (run ${executed.id})`;
    }
    case 'cost_max': {
      const { costUsd } = transcript;
      if (costUsd === null) return 'what it cost is not known';
      return costUsd <= grader.usd ? undefined : `it cost $${costUsd.toFixed(4)}`;
    }
    case 'latency_max':
      return transcript.durationMs <= grader.ms ? undefined : `it took ${transcript.durationMs} ms`;
  }
}

function toNames(names: string | readonly string[]): Names {
  return typeof names === 'string' ? [names] : names;
}

function explainNumber(answer: string, wanted: number, tolerance = 0): string | undefined {
  const none = explainNoAnswer(answer);
  if (none !== undefined) return none;
  const said = readNumber(answer);
  if (said === undefined) return `it says no number; ${wanted} is right`;
  // the last digits of a sum of decimals are noise
  const slack = tolerance + Math.abs(wanted) * Number.EPSILON * 4;
  return Math.abs(said - wanted) <= slack ? undefined : `it says ${said}; ${wanted} is right`;
}

function explainTexts(answer: string, { all = [], any = [], none = [] }: GraderOf<'contains'>): string | undefined {
  const missing = all.find((text) => !standsIn(answer, text));
  if (missing !== undefined) return `it does not say "${missing}"`;
  if (any.length > 0 && !any.some((text) => standsIn(answer, text))) return `it says none of "${any.join('", "')}"`;
  const unwanted = none.find((text) => standsIn(answer, text));
  return unwanted === undefined ? undefined : `it says "${unwanted}"`;
}

function explainPattern(answer: string, { pattern, flags }: GraderOf<'regex'>, kit: GraderKit): string | undefined {
  try {
    return kit.compilePattern(pattern, flags).test(answer) ? undefined : `it does not match ${pattern}`;
  } catch (error) {
    return `${pattern} could not be tried on it: ${(error as Error).message}`;
  }
}

function explainCalled(
  { toolCalls }: Transcript,
  { tool, arguments: wanted }: GraderOf<'tool_called'>,
  kit: GraderKit,
) {
  const pattern = compileToolPattern(kit, tool);
  const called = toolCalls.filter(({ name }) => pattern.test(name));
  if (called.length === 0) return `it did not call ${tool}`;
  if (wanted === undefined || called.some((call) => holds(readJson(call.arguments), wanted))) return undefined;
  return `it called ${called[0]?.name} with ${called.map((call) => call.arguments).join(' and ')}`;
}

function explainDraft({ runs }: Transcript, { action, entity, properties = {} }: GraderOf<'draft_of'>) {
  const drafts = runs.filter((run) => run.mode === 'draft' && run.action === action);
  if (drafts.length === 0) return `it made no draft of ${action}`;
  const fitting = drafts.filter((draft) => entity === undefined || draft.entity === entity);
  if (fitting.length === 0) return `its draft of ${action} is for ${drafts[0]?.entity ?? 'no entity'}`;
  if (fitting.some((draft) => holds(draft.properties, properties))) return undefined;
  return `its draft of ${action} has ${JSON.stringify(fitting[0]?.properties)}`;
}

/** Whether a value has all that is wanted: members of objects may be more, everything else is equal. */
function holds(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(value) && value.length === wanted.length && wanted.every((each, index) => holds(value[index], each))
    );
  }
  if (!isRecord(wanted)) return value === wanted;
  return (
    isRecord(value) &&
    Object.entries(wanted).every(([key, each]) => Object.hasOwn(value, key) && holds(value[key], each))
  );
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
