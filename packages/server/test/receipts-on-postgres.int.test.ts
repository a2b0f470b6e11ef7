import type { ReceiptRecord, ReceiptUnit } from '@portolan/contract/receipts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from './build-test-app.ts';
import { type MockModelServer, type ScriptedCall, startMockModelServer } from './mock-model-server.ts';
import { askWithReceipts, createLookup, type ReceiptedAnswer } from './questions/ask-with-receipts.ts';
import { grade } from './questions/grade.ts';
import { createMarkingModel, type SaidSentence } from './questions/marking-model.ts';
import { type AskedOrganization, loadDemoQuestions, loadOrganizations } from './questions/organizations.ts';
import type { Question } from './questions/question.ts';

/**
 * Receipts of answers, measured: those of the planner, which names its records itself, and those of a model that marks its
 * sentences, leaves marks out, and errs. The questions are those about the demo, and all 200 for a report.
 */
const asked = process.env['PORTOLAN_TEST_REPORT'] === undefined ? 80 : 200;

interface Answered extends ReceiptedAnswer {
  readonly question: Question;
  readonly organization: AskedOrganization;
  readonly lookUp: ReturnType<typeof createLookup>;
}

interface Unit extends ReceiptUnit {
  readonly text: string;
  readonly records: readonly ReceiptRecord[];
  readonly answer: Answered;
}

async function askAll(test: TestApp): Promise<Answered[]> {
  const all: Answered[] = [];
  for (const organization of asked === 200 ? await loadOrganizations(test) : [await loadDemoQuestions(test)]) {
    const lookUp = createLookup(organization.organization);
    for (const question of organization.questions) {
      const answer = await askWithReceipts(test, organization.organization, question.text);
      all.push({ ...answer, question, organization, lookUp });
    }
  }
  return all;
}

function unitsOf(answers: readonly Answered[]): Unit[] {
  return answers.flatMap((answer) =>
    (answer.receipts?.units ?? []).map((unit) => ({
      ...unit,
      text: answer.message.slice(unit.start, unit.end),
      records: (unit.refs ?? []).flatMap((ref) => answer.receipts?.records[ref] ?? []),
      answer,
    })),
  );
}

const isBacked = ({ status }: ReceiptUnit): boolean => status === 'supported' || status === 'linked';

interface Figures {
  readonly precision: number;
  readonly coverage: number;
  readonly invented: number;
}

const goals: Figures = { precision: 0.98, coverage: 0.95, invented: 0.003 };

function report(who: string, { precision, coverage, invented }: Figures, more: string): void {
  if (process.env['PORTOLAN_TEST_REPORT'] === undefined) return;
  const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;
  process.stdout.write(
    `${who}: citation precision ${percent(precision)}, coverage ${percent(coverage)}, invented entities ${percent(invented)} (${more})\n`,
  );
}

let planned: Answered[];
let modelled: Answered[];
let said: ReadonlyMap<string, readonly SaidSentence[]>;
let model: MockModelServer;
let apps: readonly TestApp[] = [];

beforeAll(async () => {
  const first = await createTestApp();
  planned = await askAll(first);
  const callsOf = new Map<string, readonly ScriptedCall[]>(
    planned.map(({ question, calls }) => [question.text, calls]),
  );
  model = await startMockModelServer();
  said = createMarkingModel(model, callsOf);
  const { url: baseUrl } = model;
  const second = await createTestApp({
    model: { provider: 'openai-compatible', model: 'mock', baseUrl, apiKey: 'sk-unused' },
  });
  modelled = await askAll(second);
  apps = [first, second];
}, 480_000);
afterAll(() => Promise.all([model.close(), ...apps.map((app) => app.close())]));

describe('answers of the planner', () => {
  const right = () =>
    planned.filter(({ receipts, message, question }) => receipts && grade(message, question.gold) === 'right');
  const answerable = () =>
    right().filter(({ question }) => question.of !== 'must ask' && question.of !== 'must refuse');

  it('are those to all questions, and have receipts', () => {
    expect(planned).toHaveLength(asked);
    expect(answerable().length).toBeGreaterThan(asked * 0.7);
  });

  it('are backed sentence by sentence, by the records that they are about, and name none that was not read', async () => {
    const checkable = unitsOf(answerable()).filter(({ status }) => status !== 'plain');
    const others = checkable.filter((unit) => !isBacked(unit));
    let [pairs, entailed, names, unknown] = [0, 0, 0, 0];
    const wrong: string[] = [];
    for (const { text, records, answer } of checkable.filter(isBacked)) {
      for (const record of records) {
        const texts = await answer.lookUp(record);
        if (record.identifier !== undefined) {
          names += 1;
          if (!texts) unknown += 1;
        }
        pairs += 1;
        // figures have no entity to be looked up: the whole answer was found right, so they are
        const isEntailed = record.identifier === undefined || (texts !== undefined && saysNameOf(text, record));
        if (isEntailed) entailed += 1;
        else wrong.push(`${answer.question.text}\n    ${text} ${JSON.stringify(record)}`);
      }
    }
    const invented = answerable().reduce((sum, { receipts }) => sum + (receipts?.invented ?? 0), 0);
    const figures = {
      precision: entailed / pairs,
      coverage: (checkable.length - others.length) / checkable.length,
      invented: (unknown + invented) / names,
    };
    if (process.env['PORTOLAN_TEST_REPORT'] !== undefined) process.stdout.write(`${wrong.slice(0, 10).join('\n')}\n`);
    report('planner', figures, `${answerable().length} answers, ${checkable.length} sentences, ${pairs} pairs`);
    expect(wrong.slice(Math.floor(pairs * (1 - goals.precision)))).toEqual([]);
    expect(others.map(({ text, missing }) => [text, missing])).toEqual([]);
    expect(figures).toMatchObject({ coverage: 1, invented: 0 });
  });
});

function saysNameOf(text: string, { identifier = '', title = '' }: ReceiptRecord): boolean {
  const plain = text.replaceAll('\\', '').toLowerCase();
  return [identifier, title].some((name) => name !== '' && plain.includes(name.toLowerCase()));
}

describe('answers of a model that marks its sentences, leaves marks out, and errs', () => {
  /** In the order in which they were said, because an answer may say the same twice of two records. */
  const told = () => {
    const left = new Map([...said].map(([question, sentences]) => [question, [...sentences]]));
    return unitsOf(modelled).flatMap((unit) => {
      const sentences = left.get(unit.answer.question.text) ?? [];
      const at = sentences.findIndex(({ text }) => text === unit.text);
      const [sentence] = at < 0 ? [] : sentences.splice(at, 1);
      return sentence ? [{ unit, sentence }] : [];
    });
  };

  it('are many, with every kind of error', () => {
    const kinds = new Set(told().map(({ sentence }) => sentence.kind));
    expect([...kinds].sort()).toEqual(['invented thing', 'other record', 'other value', 'true']);
    expect(told().length).toBeGreaterThan(asked * 2);
  });

  it('show the records that sentences are about, and what is true is backed', () => {
    const all = told();
    const shown = all
      .filter(({ unit }) => isBacked(unit))
      .flatMap(({ unit, sentence }) => (unit.refs ?? []).map((ref) => ({ unit, sentence, ref })));
    const precise = shown.filter(({ sentence, ref }) => sentence.kind === 'true' && sentence.ref === ref);
    const so = all.filter(({ sentence, unit }) => sentence.kind === 'true' && unit.status !== 'plain');
    const inventions = all.filter(({ sentence }) => sentence.kind === 'invented thing');
    const wrong = all.filter(({ sentence }) => sentence.kind !== 'true');
    const figures = {
      precision: precise.length / shown.length,
      coverage: so.filter(({ unit }) => isBacked(unit)).length / so.length,
      invented: inventions.filter(({ unit }) => isBacked(unit)).length / shown.length,
    };
    const unflagged = wrong.filter(({ unit }) => isBacked(unit)).length;
    report(
      'marking model',
      figures,
      `${modelled.length} answers, ${all.length} sentences, ${shown.length} pairs; of ${wrong.length} wrong sentences ${unflagged} shown as backed`,
    );
    if (process.env['PORTOLAN_TEST_REPORT'] !== undefined) {
      const odd = [
        ...shown.filter((each) => !precise.includes(each)),
        ...so.filter(({ unit }) => !isBacked(unit)),
      ].slice(0, 40);
      for (const { unit, sentence } of odd)
        process.stdout.write(
          `  ${unit.status} ${unit.refs} ${JSON.stringify(unit.missing)} · ${sentence.kind} of ${sentence.ref}: ${unit.text}\n`,
        );
    }
    expect(figures.precision).toBeGreaterThanOrEqual(goals.precision);
    expect(figures.coverage).toBeGreaterThanOrEqual(goals.coverage);
    expect(figures.invented).toBeLessThanOrEqual(goals.invented);
  });
});
