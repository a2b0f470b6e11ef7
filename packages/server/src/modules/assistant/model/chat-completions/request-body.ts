import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3ToolResultOutput,
} from '@ai-sdk/provider';
import type { ModelRequest } from '../part-stream.ts';
import { metadataKey } from './chunk.ts';

/**
 * The JSON of a streamed Chat Completions request. Tools are serialized once per schema and cached with it, because
 * they are most of every request.
 */
export function chatRequestBody(model: string, request: ModelRequest): string {
  const { prompt, maxOutputTokens, toolChoice } = request;
  const head = JSON.stringify({
    model,
    max_tokens: maxOutputTokens,
    stream: true,
    stream_options: { include_usage: true },
    messages: prompt.flatMap(toMessages),
  });
  const tools = request.tools?.flatMap((tool) => (tool.type === 'function' ? [toolJson(tool)] : [])) ?? [];
  if (tools.length === 0) return head;
  const choice =
    toolChoice?.type === 'tool' ? { type: 'function', function: { name: toolChoice.toolName } } : toolChoice?.type;
  const chosen = choice === undefined ? '' : `,"tool_choice":${JSON.stringify(choice)}`;
  return `${head.slice(0, -1)},"tools":[${tools.join(',')}]${chosen}}`;
}

interface WrittenTool {
  readonly name: string;
  readonly description: string | undefined;
  readonly json: string;
}

const written = new WeakMap<object, WrittenTool>();

function toolJson({ name, description, inputSchema }: LanguageModelV3FunctionTool): string {
  const known = written.get(inputSchema);
  if (known && known.name === name && known.description === description) return known.json;
  const json = JSON.stringify({ type: 'function', function: { name, description, parameters: inputSchema } });
  written.set(inputSchema, { name, description, json });
  return json;
}

function toMessages(message: LanguageModelV3Message): object[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }];
    case 'user': {
      const parts = message.content.map((part) => {
        if (part.type !== 'text') throw new Error('Only text is sent to a compatible server');
        return { type: 'text', text: part.text };
      });
      return [{ role: 'user', content: parts.length === 1 ? parts[0]!.text : parts }];
    }
    case 'assistant':
      return [assistantMessage(message)];
    case 'tool':
      return message.content.flatMap((part) =>
        part.type === 'tool-result'
          ? [{ role: 'tool', tool_call_id: part.toolCallId, content: outputText(part.output) }]
          : [],
      );
  }
}

function assistantMessage({ content }: LanguageModelV3Message & { role: 'assistant' }): object {
  let text = '';
  let reasoning = '';
  const calls: object[] = [];
  for (const part of content) {
    if (part.type === 'text') text += part.text;
    else if (part.type === 'reasoning') reasoning += part.text;
    else if (part.type === 'tool-call') {
      const signature = part.providerOptions?.[metadataKey]?.['thoughtSignature'];
      calls.push({
        id: part.toolCallId,
        type: 'function',
        function: { name: part.toolName, arguments: JSON.stringify(part.input) },
        ...(signature ? { extra_content: { google: { thought_signature: signature } } } : {}),
      });
    }
  }
  return {
    role: 'assistant',
    content: calls.length > 0 ? text || null : text,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

function outputText(output: LanguageModelV3ToolResultOutput): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value;
    case 'execution-denied':
      return output.reason ?? 'Tool call execution denied.';
    default:
      return JSON.stringify(output.value);
  }
}
