import type { Grade } from './grade.ts';
import type { QuestionClass } from './question.ts';

interface Reported {
  readonly of: QuestionClass;
  readonly organization: string;
  readonly text: string;
  readonly answer: string;
  readonly grade: Grade;
}

const grades = ['right', 'refused', 'asked', 'wrong'] as const;
const shownCharacters = 400;

/** Prints how many of each class were answered how, and each answer that was not right, if `PORTOLAN_TEST_REPORT` is set. */
export function printReport(title: string, all: readonly Reported[]): void {
  if (process.env['PORTOLAN_TEST_REPORT'] === undefined) return;
  const row = (name: string, some: readonly Reported[]): string =>
    [name, some.length, ...grades.map((each) => some.filter(({ grade }) => grade === each).length)].join(' | ');
  const classes = [...new Set(all.map(({ of }) => of))];
  const table = [
    ...classes.map((kind) =>
      row(
        kind,
        all.filter(({ of }) => of === kind),
      ),
    ),
    row('all', all),
  ];
  const rest = all
    .filter(({ grade }) => grade !== 'right')
    .map(
      ({ grade, organization, text, answer }) =>
        `${grade} · ${organization} · ${text}\n    ${answer.slice(0, shownCharacters).replaceAll('\n', '\n    ')}`,
    );
  process.stdout.write(`${title}\nclass | asked | ${grades.join(' | ')}\n${[...table, ...rest].join('\n')}\n\n`);
}
