import { toRunEntities } from '@portolan/evaluation';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { type Answers, fakeApi, Refused } from '../../../test/fake-api.ts';
import { AskCases } from './ask-cases.tsx';
import { CaseList } from './case-list.tsx';
import { CaseResults } from './case-results.tsx';
import { Screen } from './evaluation.screen.tsx';
import { readRuns } from './evaluation-reads.ts';
import { ImportCases } from './import-cases.tsx';
import { VariantsTable } from './variants-table.tsx';

const yes = { grader: 'contains', all: ['yes'] };
const oneCase = (identifier: string, expected: object[] = [yes]) => ({
  identifier,
  title: identifier,
  properties: { question: `${identifier}?`, expect: expected, tags: [] },
  relations: {},
});
const interval = { low: 0.1, high: 0.9 };
const counts = { right: 0, refused: 0, wrong: 0, failed: 0, undecided: 0 };

/** A variant that has these outcomes for the cases c0, c1 …. */
function variant(name: string, outcomes: readonly ('right' | 'wrong')[], costUsd: number | null = 1) {
  const right = outcomes.filter((each) => each === 'right').length;
  return {
    name,
    models: [],
    counts: { ...counts, right, wrong: outcomes.length - right },
    share: right / outcomes.length,
    interval,
    unsteady: 0,
    p50Ms: 500,
    p95Ms: 900,
    costUsd,
    cases: outcomes.map((outcome, index) => ({
      case: `c${index}`,
      outcome,
      trials: [
        {
          outcome,
          invocation: `${name}-${index}`,
          answer: '',
          durationMs: 1,
          costUsd,
          grades: outcome === 'right' ? [] : [{ grader: 'contains', passed: false, reason: 'it does not say "yes"' }],
        },
      ],
    })),
  };
}

const kept = (...variants: ReturnType<typeof variant>[]) =>
  readRuns(toRunEntities({ run: 'r1', startedAt: '2026-03-02T09:00:00.000Z', variants }));

const base = {
  listBlueprints: () => ({ ok: true, blueprints: [{ identifier: 'ai_eval_case' }, { identifier: 'ai_eval_run' }] }),
  getOwnRights: () => ({ ok: true, rights: undefined }),
  getBlueprint: () => ({ ok: true, blueprint: { title: 'Evaluation case' } }),
  getAiQuota: () => ({ ok: true, monthlyQuotaUsage: { monthlyLimit: 100, remainingQuota: 60 } }),
  listEntities: () => ({ ok: true, entities: [] }),
  searchBlueprintEntities: () => ({ ok: true, entities: [] }),
} as unknown as Answers;
const answers = (extra: object): Answers => ({ ...base, ...extra }) as unknown as Answers;

test('variants stand side by side, and the comparison says better, worse or cannot tell', async () => {
  const all = (outcome: 'right' | 'wrong') => Array(8).fill(outcome) as ('right' | 'wrong')[];
  const variants = kept(
    variant('old', all('wrong')),
    variant('new', all('right'), null),
    variant('same', all('wrong')),
  );
  await draw(<VariantsTable variants={variants} base={variants[0]} />);
  const row = (name: string) => within(screen.getByRole('rowheader', { name }).closest('tr') as HTMLElement);
  expect(row('old').getByText('the base')).toBeTruthy();
  expect(row('new').getByText('Better')).toBeTruthy();
  expect(row('new').getByText('8 of 8 (100 %)')).toBeTruthy();
  expect(row('new').getByText('10 % to 90 %')).toBeTruthy();
  expect(row('new').getByText('not known')).toBeTruthy();
  expect(row('same').getByText('Cannot tell')).toBeTruthy();
});

test('a case opens with question, expected, every answer and why it missed', async () => {
  fakeApi(
    answers({
      getEntity: () => ({ ok: true, entity: oneCase('c0') }),
      getInvocation: ({ params }: { params: Record<string, string> }) => ({
        ok: true,
        result: { status: 'Completed', message: `Said in ${params['invocation_identifier']}` },
      }),
    }),
  );
  await draw(<CaseResults variants={kept(variant('old', ['wrong']), variant('new', ['right']))} />);
  fireEvent.click(screen.getByRole('button', { name: 'c0' }));
  const open = within(await screen.findByRole('region', { name: 'Case c0' }));
  expect(await open.findByText('c0?')).toBeTruthy();
  expect(open.getByText('contains: it does not say "yes"')).toBeTruthy();
  expect(await open.findByText('Said in old-0')).toBeTruthy();
  expect(await open.findByText('Said in new-0')).toBeTruthy();
});

test('without the blueprints the screen offers to make them, and asks for nothing of theirs', async () => {
  const sent = fakeApi(answers({ listBlueprints: () => ({ ok: true, blueprints: [{ identifier: 'service' }] }) }));
  await draw(<Screen />);
  expect(await screen.findByRole('button', { name: 'Set up evaluation' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Ask the cases' })).toBeNull();
  expect(sent.map(({ name }) => name)).not.toContain('listEntities');
  expect(sent.map(({ name }) => name)).not.toContain('searchBlueprintEntities');
});

test('who may not read runs is told so', async () => {
  const forbidden = () => {
    throw new Refused(403, 'missing_permissions', 'You may not');
  };
  fakeApi(answers({ searchBlueprintEntities: forbidden }));
  await draw(<Screen />);
  expect(await screen.findByText(/You may not/)).toBeTruthy();
});

test('where nothing was evaluated the screen says how to begin, and has no case to ask', async () => {
  fakeApi(base);
  await draw(<Screen />);
  expect(await screen.findByRole('heading', { name: 'Nothing was evaluated yet' })).toBeTruthy();
  const ask = screen.getByRole('button', { name: 'Ask the cases' }) as HTMLButtonElement;
  expect([ask.disabled, ask.title]).toEqual([true, 'There is no case to ask yet']);
});

test('without a case its list leads to the first', async () => {
  fakeApi(base);
  await draw(<CaseList cases={[]} />);
  expect(screen.getByRole('heading', { name: 'There is no case yet' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Add the first case' }).getAttribute('href')).toBe('/ai/new-case');
});

test('while runs are read, nothing says that there are none', async () => {
  let answer: (entities: object) => void = () => undefined;
  const late = new Promise<object>((resolve) => {
    answer = resolve;
  });
  fakeApi(answers({ searchBlueprintEntities: () => late }));
  await draw(<Screen />);
  await screen.findByRole('heading', { name: 'Evaluation' });
  expect(screen.queryByText('Nothing was evaluated yet')).toBeNull();
  expect(document.querySelector('[aria-busy="true"]')).toBeTruthy();
  answer({ ok: true, entities: [] });
  expect(await screen.findByText('Nothing was evaluated yet')).toBeTruthy();
});

test('asking says what it takes before, and keeps what came of it as the person', async () => {
  const sent = fakeApi(
    answers({
      invokeAssistant: ({ query }: { query: Record<string, string> }) =>
        new Response(`id: ${query['invocation_identifier']}:1\nevent: done\ndata: {"status":"Completed"}\n\n`, {
          headers: { 'content-type': 'text/event-stream' },
        }),
      getInvocation: () => ({
        ok: true,
        result: { status: 'Completed', message: 'yes', usage: { durationMs: 5, costUsd: 0.5, isLanguageModel: true } },
      }),
      getInvocationEvidence: () => ({
        ok: true,
        evidence: { invocation: { provider: 'openai', model: 'gpt' }, toolCalls: [], runs: [] },
      }),
      createEntity: () => ({ ok: true, entity: {} }),
    }),
  );
  const done: string[] = [];
  const runs = kept(variant('as set up', ['right', 'right']));
  const cases = [oneCase('a'), oneCase('b'), oneCase('s', [{ grader: 'json_schema', schema: {} }])];
  await draw(<AskCases entities={cases as never} runs={runs} onClose={() => {}} onDone={(run) => done.push(run)} />);
  expect(await screen.findByText(/2 questions of your quota\..*The cost is about \$1\.00/)).toBeTruthy();
  // a browser cannot check what a schema says
  expect(screen.getByText(/^s\/expect\/0: is for the command line/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Ask 2 questions' }));
  await waitFor(() => expect(done).toHaveLength(1));
  const asked = sent.filter(({ name }) => name === 'invokeAssistant');
  expect(asked.map(({ sent: { body } }) => body)).toEqual([
    expect.objectContaining({ userPrompt: 'a?', executionMode: 'Manual Approval' }),
    expect.objectContaining({ userPrompt: 'b?', executionMode: 'Manual Approval' }),
  ]);
  const [written] = sent.filter(({ name }) => name === 'createEntity');
  expect(written?.sent.body).toMatchObject({
    identifier: `${done[0]}-1`,
    properties: { right: 2, cases: 2, cost_usd: 1 },
  });
});

test('more than fifty questions are for the command line', async () => {
  fakeApi(base);
  const many = Array.from({ length: 51 }, (_, index) => oneCase(`c${index}`));
  await draw(<AskCases entities={many as never} runs={[]} onClose={() => {}} onDone={() => {}} />);
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect((screen.getByRole('button', { name: 'Ask 51 questions' }) as HTMLButtonElement).disabled).toBe(true);
});

test('an import of a case that is written wrong imports none, and says where', async () => {
  const sent = fakeApi(base);
  await draw(<ImportCases onClose={() => {}} />);
  const text = JSON.stringify([oneCase('a'), oneCase('b', [{ grader: 'taste' }])]);
  fireEvent.change(screen.getByLabelText('Cases as JSON'), { target: { value: text } });
  fireEvent.click(screen.getByRole('button', { name: 'Import' }));
  expect(await screen.findByText(/^b\/expect\/0\/grader: "taste" is no grader/)).toBeTruthy();
  expect(sent.some(({ name }) => name === 'createEntity')).toBe(false);
});
