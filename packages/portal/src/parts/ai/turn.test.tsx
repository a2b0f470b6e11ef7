import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi, Refused, type SentRequest } from '../../../test/fake-api.ts';
import { Turn } from './turn.tsx';

/** A stream whose events and disconnections the test controls. */
function stream() {
  const bytes = new TransformStream<Uint8Array, Uint8Array>();
  const writer = bytes.writable.getWriter();
  const encoder = new TextEncoder();
  return {
    response: new Response(bytes.readable, { headers: { 'content-type': 'text/event-stream' } }),
    send: (id: string, event: string, data: unknown) =>
      void writer.write(
        encoder.encode(
          `id: ${id}\nevent: ${event}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
        ),
      ),
    end: () => void writer.close(),
  };
}

/** Each request for the answer gets the next stream, or a refusal. */
function server(...streams: (ReturnType<typeof stream> | Refused)[]) {
  let next = 0;
  const answer = () => {
    const given = streams[next++];
    if (given === undefined) throw new Error('The test has no more streams');
    if (given instanceof Refused) throw given;
    return given.response;
  };
  return fakeApi({
    invokeAssistant: answer,
    invokeAgent: answer,
    streamInvocation: answer,
    cancelInvocationByPost: () => ({ ok: true }),
    proposeWorkflowOfInvocation: () => ({ ok: true, proposal: { identifier: 'wfp_1' } }),
  } as never);
}

const turn = (
  <Turn
    id="inv_1"
    question={{ text: 'Who owns api?' }}
    onChange={() => undefined}
    onStop={() => undefined}
    onAskAgain={() => undefined}
  />
);

/** Ends the wait before the next attempt: the browser reports that it is back online. */
const reconnect = () => window.dispatchEvent(new Event('online'));

test.each([undefined, 'triage'])('what the person looks at goes along as data (agent %s)', async (agent) => {
  const answer = stream();
  const received = server(answer);
  const context = { entity: { blueprint: 'service', identifier: 'cart' } };
  await draw(
    <Turn
      id="inv_1"
      question={{ text: 'Who owns this?', agent, context }}
      onChange={() => undefined}
      onStop={() => undefined}
      onAskAgain={() => undefined}
    />,
  );
  await waitFor(() => expect(received).toHaveLength(1));
  expect(received[0]?.sent.body).toMatchObject({ context });
  expect(received[0]?.sent.body).not.toHaveProperty('systemPrompt');
});

test('an answer that breaks off goes on behind the last event that was seen', async () => {
  const [first, second] = [stream(), stream()];
  const received = server(first, second);
  await draw(turn);
  first.send('inv_1:a:1', 'text_delta', { text: 'Team ' });
  await screen.findByText(/Team/);
  first.end();
  await screen.findByText('Reconnecting. The answer goes on at the server');
  reconnect();
  await waitFor(() => expect(received).toHaveLength(2));
  second.send('inv_1:a:2', 'text_delta', { text: 'platform' });
  second.send('inv_1:a:3', 'done', {});
  await screen.findByText('Team platform');
  await screen.findByText('The answer is complete');
  const [asked, resumed] = received.map(({ name, sent }): [string, SentRequest] => [name, sent]);
  expect(asked?.[1].query['invocation_identifier']).toBe('inv_1');
  expect(resumed?.[0]).toBe('streamInvocation');
  expect(resumed?.[1].headers['last-event-id']).toBe('inv_1:a:1');
});

test('Stop asks the server to end it, and what was said stays', async () => {
  const only = stream();
  const received = server(only);
  await draw(turn);
  only.send('inv_1:a:1', 'text_delta', { text: 'Half an answer' });
  await screen.findByText(/Half an answer/);
  fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
  await waitFor(() => expect(received.map(({ name }) => name)).toContain('cancelInvocationByPost'));
  only.send('inv_1:a:2', 'execution', 'Cancelled.');
  only.send('inv_1:a:3', 'done', {});
  await screen.findByText('The answer is complete');
  expect(screen.getByText(/Half an answer/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
});

test('an error in the stream is said beside what was answered before it', async () => {
  const only = stream();
  server(only);
  await draw(turn);
  only.send('inv_1:a:1', 'text_delta', { text: 'The owner is' });
  only.send('inv_1:a:2', 'error', { ok: false, error: 'ai_provider_error', message: 'The model broke off.' });
  only.send('inv_1:a:3', 'done', {});
  await screen.findByText('The answer was not finished');
  expect(screen.getByText('The model broke off.')).toBeTruthy();
  expect(screen.getByText(/The owner is/)).toBeTruthy();
});

test('a question that the server refuses is not sent again', async () => {
  const received = server(new Refused(403, 'forbidden', 'The assistant is not for you.'));
  await draw(turn);
  await screen.findByText(/The assistant is not for you/);
  reconnect();
  expect(received).toHaveLength(1);
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
});

test.each([
  ['with its cost where prices are known', { tokens: 1_234, costUsd: 0.00213 }, '1,234 tokens, $0.0021'],
  ['alone where they are not', { tokens: 98, costUsd: null }, '98 tokens'],
])('an answer that has ended tells its tokens, %s', async (_name, used, text) => {
  const answer = stream();
  server(answer);
  await draw(
    <Turn
      id="inv_1"
      question={{ text: 'Who owns api?' }}
      used={used}
      onChange={() => undefined}
      onStop={() => undefined}
      onAskAgain={() => undefined}
    />,
  );
  answer.send('inv_1:a:1', 'execution', 'Team platform');
  await screen.findByText('Team platform');
  expect(screen.queryByText(text)).toBeNull();
  answer.send('inv_1:a:2', 'done', {});
  await screen.findByText(text);
});

test('an answer that called something is made a workflow once it has ended', async () => {
  const answer = stream();
  const received = server(answer);
  await draw(turn);
  answer.send('inv_1:a:1', 'tool_call', { id: 'c1', name: 'run_restart', arguments: '{}' });
  answer.send('inv_1:a:2', 'tool_result', { id: 'c1', content: '{}' });
  expect(screen.queryByRole('button', { name: 'Make this a workflow' })).toBeNull();
  answer.send('inv_1:a:3', 'done', {});
  answer.end();
  fireEvent.click(await screen.findByRole('button', { name: 'Make this a workflow' }));
  await waitFor(() => expect(received.at(-1)?.name).toBe('proposeWorkflowOfInvocation'));
  expect(received.at(-1)?.sent.params).toEqual({ invocation_identifier: 'inv_1' });
});
