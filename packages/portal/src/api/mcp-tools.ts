import { sendWithSession } from './session-fetch.ts';

/** A tool as the server lists it for the person who is signed in. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
}

/**
 * Every tool that the person may use, actions among them. The list is the one that MCP clients get, which is no operation of
 * the contract. @throws Error with the reason of the server
 */
export async function listTools(): Promise<readonly ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  do {
    const response = await sendWithSession('/v1/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/list',
        params: cursor === undefined ? {} : { cursor },
      }),
    });
    const body = (await response.json()) as {
      result?: { tools: ListedTool[]; nextCursor?: string };
      error?: { message: string };
      message?: string;
    };
    if (!response.ok || !body.result) {
      const reason = body.error?.message ?? body.message;
      throw new Error(typeof reason === 'string' ? reason : `The server answered ${response.status}`);
    }
    tools.push(...body.result.tools);
    cursor = body.result.nextCursor;
  } while (cursor !== undefined);
  return tools;
}
