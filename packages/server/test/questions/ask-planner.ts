import type { Request } from '../build-test-app.ts';

/** The answer of the assistant to a question, over the API like anybody's. */
export async function askPlanner(request: Request, text: string): Promise<string> {
  const accepted = await request('POST', '/v1/ai/invoke', {
    body: { userPrompt: text },
    headers: { prefer: 'respond-async' },
  });
  const { identifier } = accepted.body.invocation;
  for (;;) {
    const { body } = await request('GET', `/v1/ai/invoke/${identifier}`);
    if (body.result.status !== 'In Progress') return String(body.result.message ?? body.result.error);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
