import type { Answering, CaseQuestion } from './answering.ts';
import { type Grade, gradeAnswer } from './grade-answer.ts';
import type { GraderKit } from './grader-kit.ts';
import { type JudgeAnswer, toGrade } from './judge.ts';
import { isQuestion, isRefusal } from './read-stance.ts';
import type { FoundGold } from './search-gold.ts';
import type { Transcript } from './transcript.ts';

/**
 * What an answer comes to; one that refuses or asks back is not wrong, and right only if all graders pass. `undecided`:
 * everything else passes, and a judge could not tell.
 */
export type Outcome = 'right' | 'refused' | 'wrong' | 'failed' | 'undecided';

export interface Trial {
  readonly outcome: Outcome;
  readonly grades: readonly Grade[];
  readonly transcript: Transcript;
  /** What its judges cost, apart from the answer; null if it is not known. */
  readonly judgeCostUsd: number | null;
  /** Drafts that could not be declined, and stay until they expire. */
  readonly draftsLeft: number;
}

/**
 * Asks a case once, grades what became of it, and declines the drafts that it made. Judges are asked last, and not at all
 * about an answer that other graders reject.
 */
export async function tryCase(
  answering: Answering,
  kit: GraderKit,
  gold: FoundGold,
  question: CaseQuestion,
  signal: AbortSignal,
): Promise<Trial> {
  const { asked } = question;
  const transcript = await answering.ask(question, signal);
  let draftsLeft = 0;
  for (const run of transcript.runs) {
    if (run.inputsHash !== undefined && !(await answering.decline(run))) draftsLeft += 1;
  }
  const plain = asked.expect.flatMap((grader) =>
    grader.grader === 'judge'
      ? []
      : [gradeAnswer(grader, transcript, kit, grader.grader === 'query' ? gold(grader) : undefined)],
  );
  // whatever a case expects, no evaluation executes anything
  const executed = gradeAnswer({ grader: 'nothing_executed' }, transcript, kit);
  const isChecked = plain.some(({ grader }) => grader === 'nothing_executed');
  const grades: Grade[] = executed.passed || isChecked ? plain : [...plain, executed];
  const judged: JudgeAnswer[] = [];
  if (transcript.error === undefined && grades.every(({ passed }) => passed)) {
    for (const grader of asked.expect) {
      if (grader.grader !== 'judge') continue;
      judged.push(await answering.judge({ asked, grader, answer: transcript.answer }, signal));
    }
  }
  const all = [...grades, ...judged.map(toGrade)];
  return { outcome: toOutcome(transcript, all), grades: all, transcript, judgeCostUsd: sum(judged), draftsLeft };
}

function toOutcome({ error, answer }: Transcript, grades: readonly Grade[]): Outcome {
  if (error !== undefined) return 'failed';
  const missed = grades.filter(({ passed }) => !passed);
  if (missed.length === 0) return 'right';
  if (missed.every(({ isUndecided }) => isUndecided)) return 'undecided';
  return isRefusal(answer) || isQuestion(answer) ? 'refused' : 'wrong';
}

function sum(judged: readonly JudgeAnswer[]): number | null {
  return judged.reduce<number | null>(
    (all, { costUsd }) => (all === null || costUsd === null ? null : all + costUsd),
    0,
  );
}
