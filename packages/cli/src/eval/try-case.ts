import { decideRun } from '@portolan/contract/action-runs';
import type { Client } from '@portolan/contract/client';
import { type AskInput, askCase } from './ask-case.ts';
import { type Grade, gradeAnswer } from './grade-answer.ts';
import type { EvalCase } from './read-cases.ts';
import { isQuestion, isRefusal } from './read-stance.ts';
import type { FoundGold } from './search-gold.ts';
import type { Transcript } from './transcript.ts';
import type { Variant } from './variant.ts';

/** What an answer comes to; one that refuses or asks back is not wrong, and right only if all graders pass. */
export type Outcome = 'right' | 'refused' | 'wrong' | 'failed';

export interface Trial {
  readonly outcome: Outcome;
  readonly grades: readonly Grade[];
  readonly transcript: Transcript;
  /** Drafts that could not be declined, and stay until they expire. */
  readonly draftsLeft: number;
}

/** Asks a case once, grades what became of it, and declines the drafts that it made. @throws ApiError */
export async function tryCase(asking: AskInput, gold: FoundGold, asked: EvalCase, variant: Variant): Promise<Trial> {
  const transcript = await askCase(asking, asked, variant);
  const draftsLeft = await declineDrafts(asking.client, transcript);
  const grades = asked.expect.map((grader) =>
    gradeAnswer(grader, transcript, grader.grader === 'query' ? gold(grader) : undefined),
  );
  // whatever a case expects, no evaluation executes anything
  const executed = gradeAnswer({ grader: 'nothing_executed' }, transcript);
  const isChecked = grades.some(({ grader }) => grader === 'nothing_executed');
  const all: Grade[] = executed.passed || isChecked ? grades : [...grades, executed];
  return { outcome: toOutcome(transcript, all), grades: all, transcript, draftsLeft };
}

function toOutcome({ error, answer }: Transcript, grades: readonly Grade[]): Outcome {
  if (error !== undefined) return 'failed';
  if (grades.every(({ passed }) => passed)) return 'right';
  return isRefusal(answer) || isQuestion(answer) ? 'refused' : 'wrong';
}

async function declineDrafts(client: Client, { runs }: Transcript): Promise<number> {
  let left = 0;
  for (const { id, inputsHash } of runs) {
    if (inputsHash === undefined) continue;
    const body = { status: 'DECLINE', inputsHash, description: 'Drafted in an evaluation' } as const;
    // whoever may ask need not be one who decides; nothing runs either way
    await client.call(decideRun, { params: { run_id: id }, body }).catch(() => {
      left += 1;
    });
  }
  return left;
}
