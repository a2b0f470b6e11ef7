import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AssistantHarness, send, startAssistantHarness } from '../../../../test/assistant-harness.ts';

let harness: AssistantHarness;
beforeAll(async () => {
  harness = await startAssistantHarness({}, { replicas: 2 });
  harness.model.respondWith(() => ({ text: 'Fine.', usage: { input: 10, output: 2 } }));
});
afterAll(() => harness.close());

const question = { userPrompt: 'How are you?' };

test('of 50 questions at once over two replicas a budget of 5 lets exactly 5 in, and tells the others when to come back', async () => {
  const organization = await harness.organization();
  await organization.call('PUT', '/v1/ai/budgets/organization/all/month', { requests: 5 });
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const url = harness.urls[index % harness.urls.length] as string;
      const answer = await send(url, organization.token, 'POST', '/v1/ai/invoke', question);
      return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() };
    }),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 429));
  for (const { retryAfter, text } of refused) {
    const body = JSON.parse(text) as { error: string; message: string; resetDate: string };
    expect(body.error).toBe('ai_budget_exceeded');
    expect(body.message).toMatch(/The budget starts again on 1 \w+;/);
    const left = (Date.parse(body.resetDate) - Date.now()) / 1_000;
    expect(Math.abs(Number(retryAfter) - left)).toBeLessThan(120);
  }
  await harness.app.sweep();
  const rows = await harness.database.first<{ runs: number; requests: number; open: number }>(sql`
    select (select count(*)::int from invocations where org_id = ${organization.id}) as runs,
      (select sum(requests)::int from ai_budget_days where org_id = ${organization.id}) as requests,
      (select count(*)::int from ai_reservations where org_id = ${organization.id}) as open`);
  expect(rows).toEqual({ runs: 5, requests: 5, open: 0 });
}, 60_000);
