import { converse, generateContent } from './mock-model-server-cloud-wires.ts';
import type { ModelWire } from './model-wire.ts';

/** The wire that a path belongs to. */
export function findWire(url: string): ModelWire | undefined {
  const path = url.split('?')[0] ?? '';
  if (path.endsWith(':streamGenerateContent')) return generateContent;
  if (path.endsWith('/converse-stream')) return converse;
  if (path.endsWith('/chat/completions')) return chat;
  if (path.endsWith('/responses')) return responses;
  return path.endsWith('/messages') ? messages : undefined;
}

function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function halves(text: string): [string, string] {
  const middle = Math.floor(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

/** https://platform.openai.com/docs/api-reference/chat/streaming */
const chat: ModelWire = {
  name: 'chat',
  errorBody: (status) => ({ error: { message: `mock says ${status} for key sk-secret-123456`, type: 'mock_error' } }),
  begin(usage) {
    const chunk = (delta: unknown, finish: string | null = null): string =>
      data({
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'mock',
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
    return {
      open: () => chunk({ role: 'assistant', content: '' }),
      openText: () => '',
      text: (piece) => chunk({ content: piece }),
      closeText: () => '',
      call(index, name, args) {
        const [first, second] = halves(args);
        const id = `chat-call-${index}`;
        return (
          chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: first } }] }) +
          chunk({ tool_calls: [{ index, function: { arguments: second } }] })
        );
      },
      error: () => data({ error: { message: 'mock overloaded', type: 'overloaded_error', code: null, param: null } }),
      close: (reason) =>
        chunk({}, reason === 'tool-calls' ? 'tool_calls' : reason) +
        data({
          id: 'chatcmpl-1',
          object: 'chat.completion.chunk',
          created: 1,
          model: 'mock',
          choices: [],
          usage: {
            prompt_tokens: usage.input,
            completion_tokens: usage.output,
            total_tokens: usage.input + usage.output,
          },
        }) +
        'data: [DONE]\n\n',
    };
  },
};

/** https://platform.openai.com/docs/api-reference/responses-streaming */
const responses: ModelWire = {
  name: 'responses',
  errorBody: chat.errorBody,
  begin(usage) {
    let sequence = 0;
    const event = (type: string, more: Record<string, unknown>): string =>
      `event: ${type}\n${data({ type, sequence_number: sequence++, ...more })}`;
    let output = 0;
    let said = '';
    return {
      open: () =>
        event('response.created', { response: { id: 'resp_1', created_at: 1, model: 'mock', status: 'in_progress' } }),
      openText: () =>
        event('response.output_item.added', {
          output_index: output,
          item: { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] },
        }),
      text(piece) {
        said += piece;
        return event('response.output_text.delta', {
          item_id: 'msg_1',
          output_index: output,
          content_index: 0,
          delta: piece,
        });
      },
      closeText: () =>
        event('response.output_item.done', {
          output_index: output++,
          item: {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: said, annotations: [] }],
          },
        }),
      call(index, name, args) {
        const item = { id: `fc_${index}`, type: 'function_call', call_id: `resp-call-${index}`, name };
        const at = output++;
        return (
          event('response.output_item.added', {
            output_index: at,
            item: { ...item, arguments: '', status: 'in_progress' },
          }) +
          halves(args)
            .map((delta) =>
              event('response.function_call_arguments.delta', { item_id: item.id, output_index: at, delta }),
            )
            .join('') +
          event('response.output_item.done', {
            output_index: at,
            item: { ...item, arguments: args, status: 'completed' },
          })
        );
      },
      error: () => event('error', { code: 'server_error', message: 'mock failed', param: null }),
      close: (reason) =>
        event(reason === 'length' ? 'response.incomplete' : 'response.completed', {
          response: {
            id: 'resp_1',
            created_at: 1,
            model: 'mock',
            status: reason === 'length' ? 'incomplete' : 'completed',
            incomplete_details: reason === 'length' ? { reason: 'max_output_tokens' } : null,
            output: [],
            usage: { input_tokens: usage.input, output_tokens: usage.output, total_tokens: usage.input + usage.output },
          },
        }),
    };
  },
};

/** https://docs.anthropic.com/en/api/messages-streaming */
const messages: ModelWire = {
  name: 'messages',
  errorBody: (status) => ({
    type: 'error',
    error: { type: 'mock_error', message: `mock says ${status} for key sk-secret-123456` },
  }),
  begin(usage) {
    const event = (type: string, more: Record<string, unknown> = {}): string =>
      `event: ${type}\n${data({ type, ...more })}`;
    let block = 0;
    return {
      open: () =>
        event('message_start', {
          message: {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            model: 'mock',
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { input_tokens: usage.input, output_tokens: 1 },
          },
        }) + event('ping'),
      openText: () => event('content_block_start', { index: block, content_block: { type: 'text', text: '' } }),
      text: (piece) => event('content_block_delta', { index: block, delta: { type: 'text_delta', text: piece } }),
      closeText: () => event('content_block_stop', { index: block++ }),
      call(index, name, args) {
        const at = block++;
        return (
          event('content_block_start', {
            index: at,
            content_block: { type: 'tool_use', id: `toolu_${index}`, name, input: {} },
          }) +
          halves(args)
            .map((part) =>
              event('content_block_delta', { index: at, delta: { type: 'input_json_delta', partial_json: part } }),
            )
            .join('') +
          event('content_block_stop', { index: at })
        );
      },
      error: () => event('error', { error: { type: 'overloaded_error', message: 'mock overloaded' } }),
      close(reason) {
        const stop = reason === 'tool-calls' ? 'tool_use' : reason === 'length' ? 'max_tokens' : 'end_turn';
        return (
          event('message_delta', {
            delta: { stop_reason: stop, stop_sequence: null },
            usage: { output_tokens: usage.output },
          }) + event('message_stop')
        );
      },
    };
  },
};
