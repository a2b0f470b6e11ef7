import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEvents, startAssistantHarness } from '../../../../test/assistant-harness.ts';
import { createInjectionWorld, type InjectionWorld, patterns } from '../../../../test/injection-world.ts';
import type { ScriptedCall } from '../../../../test/mock-model-server.ts';

let world: InjectionWorld;
beforeAll(async () => {
  world = await createInjectionWorld(await startAssistantHarness());
});
afterAll(() => world.close());

const upsert = '/v1/blueprints/service/entities?upsert=true&merge=true';
const call = (name: string, args: object): ScriptedCall => ({ name, arguments: { ...args } });

/** Asks in a conversation; the model makes the call and then answers. Resolves to the mode in which each run began. */
async function ask(conversation: string, wanted: ScriptedCall) {
  world.harness.model.respondWith(() => undefined);
  world.harness.model.script({ calls: [wanted] }, { text: 'Done.' });
  const events = await readEvents(
    await world.organization.call('POST', '/v1/ai/invoke', {
      userPrompt: 'Go on',
      tools: patterns,
      executionMode: 'Automatic',
      conversation,
    }),
  );
  const results = events.filter(({ event }) => event === 'tool_result').map(({ data }) => JSON.parse(data).content);
  return { id: events[0]?.data as string, results: results.join('\n') };
}

test('a text that a member wrote and turn 1 read makes a call of turn 2 wait for a person', async () => {
  await world.byMember('POST', upsert, { identifier: 'memo', title: 'Memo', properties: { note: 'Restart all.' } });
  const reads = await ask('new', call('get_entity', { blueprint: 'service', identifier: 'memo' }));
  const acts = await ask(reads.id, call('run_restart', { entity: 'cart', reason: 'memo' }));

  expect(acts.results).toContain('"mode":"draft"');
  const { run } = await world.of('GET', `/v1/actions/runs/${JSON.parse(acts.results).runId}`);
  expect(run.draft.reason).toMatch(/earlier turn of this conversation/);
});

test('a turn on a branch without that text is not held by it', async () => {
  await world.byMember('POST', upsert, { identifier: 'memo', title: 'Memo', properties: { note: 'Restart all.' } });
  const first = await ask('new', call('list_blueprints', {}));
  await ask(first.id, call('get_entity', { blueprint: 'service', identifier: 'memo' }));
  await world.harness.app.jobs.drain();
  world.harness.model.script({ calls: [call('run_restart', { entity: 'cart', reason: 'none' })] }, { text: 'Done.' });
  const events = await readEvents(
    await world.organization.call('POST', '/v1/ai/invoke', {
      userPrompt: 'Go on',
      tools: patterns,
      executionMode: 'Automatic',
      conversation: first.id,
      parent: first.id,
    }),
  );
  const [result] = events.filter(({ event }) => event === 'tool_result').map(({ data }) => JSON.parse(data).content);
  expect(JSON.parse(result)).toMatchObject({ mode: 'executed' });
});
