import type { ContextUsage } from '@portolan/contract/invocation-stream';
import type { RecalledCall } from './recall.ts';
import { breakMark, fenceOutput } from './tool-output.ts';

/** An earlier turn, oldest first on its path. */
export interface EarlierTurn {
  readonly id: string;
  readonly question: string;
  /** Null if it failed: then its text is not shown. */
  readonly answer: string | null;
  readonly calls: readonly RecalledCall[];
  /** Its contents were removed, or are not for the one who asks. */
  readonly isGone?: boolean;
}

export interface HistoryBudget {
  readonly tokens: number;
  /** Tokens for each character. */
  readonly ratio: number;
  /** Of the conversation's fences. */
  readonly fenceMark: string;
}

export interface HistoryMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export interface History {
  /** Questions and answers in turns, the last one an answer. */
  readonly messages: readonly HistoryMessage[];
  /** One line for each call, between the fences; empty if there was none. */
  readonly digest: string;
  /** Turns that are shown in any form. */
  readonly shown: readonly string[];
  readonly turnsCompacted: number;
  readonly usedTokens: number;
}

/** How a turn is told. */
interface Form {
  readonly recordsMax: number;
  readonly answerMax: number;
}

const whole: Form = { recordsMax: 50, answerMax: Number.POSITIVE_INFINITY };
const recordsKept = 12;
const answerKept = 600;
const questionKept = 2_000;
/** Turns go in groups, so that the turns after one leave the bytes before them alone. */
const roomAfterDropping = 0.75;

const noAnswerText = '(This turn ended without an answer.)';
const leftOutText = '(The answer is left out here.)';

/**
 * What a model is shown of the turns before a question: never more than the budget, without asking a model, and the same
 * bytes for the same turns. What does not fit is shortened in steps, the oldest first.
 */
export function buildHistory(turns: readonly EarlierTurn[], budget: HistoryBudget): History {
  const kept = turns.filter(({ isGone }) => !isGone);
  let forms = kept.map((): Form => whole);
  const age = (index: number): number => kept.length - index;
  const steps: ((form: Form, index: number) => Form)[] = [
    (form) => ({ ...form, recordsMax: recordsKept }),
    (form, index) => (age(index) > 2 ? { ...form, answerMax: answerKept } : form),
    (form, index) => (age(index) > 8 ? { ...form, answerMax: 0 } : form),
    (form, index) =>
      age(index) > 1 ? { recordsMax: recordsKept, answerMax: Math.min(form.answerMax, answerKept) } : form,
  ];
  let told = tell(kept, forms, budget);
  for (const step of steps) {
    if (told.usedTokens <= budget.tokens) break;
    forms = forms.map(step);
    told = tell(kept, forms, budget);
  }
  let from = 0;
  if (told.usedTokens > budget.tokens) {
    const room = budget.tokens * roomAfterDropping;
    while (told.usedTokens > room && from < kept.length - 1) {
      from += 1;
      told = tell(kept.slice(from), forms.slice(from), budget);
    }
    if (told.usedTokens > budget.tokens) {
      // the last turn alone: as much of it as there is room for
      told = tell(kept.slice(from), [{ recordsMax: recordsKept, answerMax: answerKept }], budget, questionKept);
      if (told.usedTokens > budget.tokens) {
        from = kept.length;
        told = tell([], [], budget);
      }
    }
  }
  const shown = kept.slice(from);
  const compacted = turns.length - shown.filter((turn, index) => isWhole(turn, forms[from + index])).length;
  return { ...told, shown: shown.map(({ id }) => id), turnsCompacted: compacted };
}

function isWhole({ answer, calls }: EarlierTurn, form: Form | undefined): boolean {
  if (!form) return false;
  return (answer?.length ?? 0) <= form.answerMax && calls.every(({ records }) => records.length <= form.recordsMax);
}

function tell(
  turns: readonly EarlierTurn[],
  forms: readonly Form[],
  { ratio, fenceMark }: HistoryBudget,
  questionMax = Number.POSITIVE_INFINITY,
): Pick<History, 'messages' | 'digest' | 'usedTokens'> {
  const messages = turns.flatMap(({ question, answer }, index): HistoryMessage[] => {
    const max = forms[index]?.answerMax ?? 0;
    const text = answer === null ? noAnswerText : max === 0 ? leftOutText : cut(answer, max);
    return [
      { role: 'user', text: breakMark(cut(question, questionMax), fenceMark) },
      { role: 'assistant', text: breakMark(text || noAnswerText, fenceMark) },
    ];
  });
  const lines = turns.flatMap(({ calls }, index) => calls.map((call) => lineOf(call, forms[index]?.recordsMax ?? 0)));
  const digest = lines.length === 0 ? '' : fenceOutput(lines.join('\n'), fenceMark);
  const characters = messages.reduce((sum, { text }) => sum + text.length, digest.length);
  return { messages, digest, usedTokens: Math.ceil(characters * ratio) };
}

function lineOf({ tool, arguments: args, isError, ref, total, records }: RecalledCall, recordsMax: number): string {
  return JSON.stringify({
    ...(ref === undefined ? {} : { ref }),
    tool,
    ...(args === '' ? {} : { arguments: args }),
    ...(isError ? { isError } : {}),
    ...(total === undefined ? {} : { total }),
    ...(records.length === 0
      ? {}
      : {
          records: records
            .slice(0, recordsMax)
            .map(({ ref, blueprint, identifier, title }) => [ref, blueprint, identifier, title]),
        }),
  });
}

/** Ends between code points. */
function cut(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const last = text.charCodeAt(charactersMax - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? charactersMax - 1 : charactersMax;
  return `${text.slice(0, end)} …`;
}

/** What stands beside the question: the records of earlier turns, and the day. */
export function contextPart(history: History, turns: number, today: string): string {
  const { digest, turnsCompacted } = history;
  const left = turnsCompacted === 0 ? '' : `, of which ${turnsCompacted} are shortened or left out here`;
  const lines = [
    ...(turns === 0 ? [] : [`This continues a conversation of ${turns} turn${turns === 1 ? '' : 's'}${left}.`]),
    ...(digest === ''
      ? []
      : ['What tools showed in it, one call a line; r1, r2 … number records for the whole conversation:', digest]),
    `Today is ${today} (UTC).`,
  ];
  return lines.join('\n');
}

export function toContextUsage(history: History, turns: number, budget: HistoryBudget): ContextUsage {
  const { usedTokens, turnsCompacted } = history;
  return { usedTokens, maxTokens: budget.tokens, turns, turnsCompacted };
}
