import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from './build-test-app.ts';
import { askDirectly } from './questions/ask-directly.ts';
import { askPlanner } from './questions/ask-planner.ts';
import { demoFacts } from './questions/demo-questions.ts';
import { demoTraps } from './questions/demo-traps.ts';
import { type Grade, grade } from './questions/grade.ts';
import { plant } from './questions/organization-words.ts';
import { type AskedOrganization, loadOrganizations, loadShuffled } from './questions/organizations.ts';
import { paraphrases } from './questions/paraphrases.ts';
import type { Question } from './questions/question.ts';
import { printReport } from './questions/report.ts';
import { createRandom } from './questions/seeded-random.ts';

/** The planner without a language model, measured: 200 questions whose answers were worked out without the search. */
let test: TestApp;
let organizations: AskedOrganization[];
let graded: Graded[];

interface Graded extends Question {
  readonly organization: string;
  readonly answer: string;
  readonly grade: Grade;
}

beforeAll(async () => {
  test = await createTestApp();
  organizations = await loadOrganizations(test);
  graded = [];
  for (const { name, organization, questions } of organizations) {
    for (const question of questions) {
      const answer = await askPlanner(organization.request, question.text);
      graded.push({ ...question, organization: name, answer, grade: grade(answer, question.gold) });
    }
  }
  printReport('the 200 questions', graded);
}, 240_000);
afterAll(() => test.close());

function share(some: readonly Graded[], isCounted: (each: Graded) => boolean): number {
  return some.filter(isCounted).length / some.length;
}

const isRight = (each: Graded): boolean => each.grade === 'right';
const isAnswerable = ({ of }: Graded): boolean => of !== 'must ask' && of !== 'must refuse';
const wrongIn = (some: readonly Graded[]) =>
  some.filter((each) => each.grade === 'wrong').map(({ text, answer }) => ({ text, answer }));

describe('the 200 questions', () => {
  it('are 200', () => expect(graded).toHaveLength(200));
  it('are answered right at least 85 times in a hundred where they can be', () => {
    expect(share(graded.filter(isAnswerable), isRight)).toBeGreaterThanOrEqual(0.85);
  });
  it('are answered wrong at most twice in a hundred', () => {
    expect(wrongIn(graded).slice(4)).toEqual([]);
  });
  it.each([
    ['must refuse', 0.95],
    ['must ask', 0.9],
  ])('of class %s are answered so in a share of %d', (kind, least) => {
    expect(
      share(
        graded.filter(({ of }) => of === kind),
        isRight,
      ),
    ).toBeGreaterThanOrEqual(least);
  });
});

async function askAll(organization: AskedOrganization, questions: readonly Question[]): Promise<Graded[]> {
  const all: Graded[] = [];
  for (const question of questions) {
    const answer = await askDirectly(test, organization.organization.id, question.text);
    all.push({ ...question, organization: organization.name, answer, grade: grade(answer, question.gold) });
  }
  return all;
}

describe('questions that are easily misread', () => {
  it('are answered right or not at all', async () => {
    const [demo] = organizations as [AskedOrganization];
    const answers = await askAll(demo, demoTraps(demoFacts()));
    printReport('traps', answers);
    expect(wrongIn(answers)).toEqual([]);
    expect(share(answers, isRight)).toBeGreaterThanOrEqual(0.6);
  });
});

describe('what does not change the question', () => {
  it('other words for a question give its answer or none', async () => {
    const [demo] = organizations as [AskedOrganization];
    const questions = demo.questions.flatMap((question) =>
      (paraphrases[question.text] ?? []).map((text) => ({ ...question, text })),
    );
    const answers = await askAll(demo, questions);
    printReport('paraphrases', answers);
    expect(wrongIn(answers)).toEqual([]);
    expect(share(answers, isRight)).toBeGreaterThanOrEqual(0.7);
  });

  it('one more word that nobody knows turns an answer into none', async () => {
    const random = createRandom(5);
    for (const organization of organizations) {
      const questions = organization.questions.map((question): Question => {
        const words = question.text.split(' ');
        const at = random.below(words.length + 1);
        const longer = [
          ...words.slice(0, at),
          random.pick(['wobbly', 'zinc', 'sideways', 'xylophone']),
          ...words.slice(at),
        ];
        return { of: 'must refuse', text: longer.join(' '), gold: { kind: 'refuse' } };
      });
      const answers = await askAll(organization, questions);
      expect(wrongIn(answers), organization.name).toEqual([]);
    }
  });

  it('unrelated types and entities, and another order of creation, give the same answers', async () => {
    const before = organizations.find(({ name }) => name === plant.name) as AskedOrganization;
    const shuffled = await loadShuffled(test, plant);
    const answers = await askAll(shuffled, before.questions);
    const grades = (some: readonly Graded[]) => some.map(({ text, grade: of }) => [text, of]);
    expect(grades(answers)).toEqual(grades(graded.filter(({ organization }) => organization === plant.name)));
  });
}, 120_000);
