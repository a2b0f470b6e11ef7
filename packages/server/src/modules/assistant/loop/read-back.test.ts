import { expect, test } from 'vitest';
import { numbered } from '../event-log.ts';
import { createExecutionLog } from './execution-log.ts';
import type { LoopEvent } from './loop-event.ts';
import { toLoopEvents } from './read-back.ts';
import { toInvocationEvents } from './wire-events.ts';

const long = `{"text":"${'é'.repeat(40_000)}"}`;
const request = {
  runId: 'r_1',
  action: 'deploy',
  entity: null,
  properties: {},
  inputsHash: 'abc',
  url: 'http://localhost/runs/r_1',
  expiresAt: '2026-01-01T00:00:00.000Z',
};
const said: readonly LoopEvent[] = [
  { type: 'segment', text: 'Looking.\n\n' },
  { type: 'tool-call', id: 'call_0', name: 'list_entities', arguments: long },
  { type: 'tool-call', id: 'call_1', name: 'run_deploy', arguments: '{"n":1}' },
  {
    type: 'tool-result',
    id: 'call_0',
    name: 'list_entities',
    content: long,
    fullContent: long,
    isError: true,
    durationMs: 1,
  },
  {
    type: 'tool-result',
    id: 'call_1',
    name: 'run_deploy',
    content: '{}',
    fullContent: '{}',
    isError: false,
    durationMs: 2,
  },
  { type: 'approval-request', id: 'call_1', request },
  { type: 'segment', text: 'One waits.' },
];
const stored = numbered(said.flatMap(toInvocationEvents), 0);

test('a stored stream tells what the loop said, but for the time it took', () => {
  const unmeasured = said.map((event) => (event.type === 'tool-result' ? { ...event, durationMs: null } : event));
  expect(toLoopEvents(stored)).toEqual(unmeasured);
});

test('wherever a stream broke off, what came before is told in order, and a log can be written of it', () => {
  const whole = toLoopEvents(stored);
  for (let length = 0; length <= stored.length; length++) {
    const left = toLoopEvents(stored.slice(0, length));
    expect(left).toEqual(whole.slice(0, left.length));
    const log = createExecutionLog('What is there?');
    for (const event of left) log.record(event);
    const json = /```json\n(.*)\n```$/s.exec(log.render())?.[1];
    expect(JSON.parse(json!).messages.length).toBeGreaterThan(0);
  }
});
