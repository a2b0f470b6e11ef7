import type { Receipts } from '@portolan/contract/receipts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type Request, type TestApp } from './build-test-app.ts';
import { grade } from './questions/grade.ts';
import { type AskedOrganization, loadOrganizations } from './questions/organizations.ts';
import type { Question } from './questions/question.ts';

/** Receipts of the planner's answers, measured: it names its records itself, so every sentence has to be backed. */
let test: TestApp;
let answers: Answered[];

interface Answered {
  readonly question: Question;
  readonly message: string;
  readonly receipts: Receipts;
  readonly organization: AskedOrganization;
}

async function ask(request: Request, text: string): Promise<{ message: string; receipts: Receipts | undefined }> {
  const accepted = await request('POST', '/v1/ai/invoke', {
    body: { userPrompt: text },
    headers: { prefer: 'respond-async' },
  });
  const { identifier } = accepted.body.invocation;
  for (;;) {
    const { result } = (await request('GET', `/v1/ai/invoke/${identifier}`)).body;
    if (result.status === 'In Progress') {
      await new Promise((resolve) => setTimeout(resolve, 2));
      continue;
    }
    const read = await request('GET', `/v1/ai/invoke/${identifier}/receipts`);
    return { message: String(result.message), receipts: read.status === 200 ? read.body.receipts : undefined };
  }
}

beforeAll(async () => {
  test = await createTestApp();
  answers = [];
  for (const organization of await loadOrganizations(test)) {
    for (const question of organization.questions) {
      if (question.of === 'must ask' || question.of === 'must refuse') continue;
      const { message, receipts } = await ask(organization.organization.request, question.text);
      if (grade(message, question.gold) !== 'right' || !receipts) continue;
      answers.push({ question, message, receipts, organization });
    }
  }
}, 240_000);
afterAll(() => test.close());

const units = () =>
  answers.flatMap(({ receipts, message, question }) =>
    receipts.units.map((unit) => ({ ...unit, question: question.text, text: message.slice(unit.start, unit.end) })),
  );

describe('answers of the planner', () => {
  it('have receipts', () => expect(answers.length).toBeGreaterThan(150));

  it('are backed sentence by sentence', () => {
    const checkable = units().filter(({ status }) => status !== 'plain');
    const backed = checkable.filter(({ status }) => status === 'supported' || status === 'linked');
    const others = checkable.filter((unit) => !backed.includes(unit));
    if (process.env['PORTOLAN_TEST_REPORT'] !== undefined) {
      const rows = others.map(
        ({ status, missing, refs, question, text }) =>
          `${status} ${JSON.stringify(missing)} ${refs} · ${question}\n    ${text}`,
      );
      process.stdout.write(
        `backed ${backed.length} of ${checkable.length}, ${units().length - checkable.length} plain\n${rows.join('\n')}\n`,
      );
    }
    expect(backed.length / checkable.length).toBe(1);
  });

  it('name no record that was not read', () => {
    expect(answers.reduce((sum, { receipts }) => sum + receipts.invented, 0)).toBe(0);
  });
});
