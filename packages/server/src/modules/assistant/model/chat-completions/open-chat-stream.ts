import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { urlToHttpOptions } from 'node:url';
import { APICallError } from '@ai-sdk/provider';
import type { OpenPartStream, PartStream } from '../part-stream.ts';
import { partsOfResponse } from './parts-of-response.ts';
import { chatRequestBody } from './request-body.ts';

export interface ChatServer {
  /** Includes the path of the API, without a trailing slash. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string;
  /** Used instead of our own connections. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Idle connections are closed before load balancers drop them silently. */
const idleMs = 15_000;
const errorBytesMax = 64 * 1024;

type Send = (body: string, signal: AbortSignal) => Promise<PartStream>;

/**
 * A model at an OpenAI Chat Completions address, over keep-alive connections. Redirects are not followed, so that key
 * and prompt are sent nowhere else.
 */
export function createChatStream({ baseUrl, model, apiKey, fetch }: ChatServer): OpenPartStream {
  const url = new URL(`${baseUrl}/chat/completions`);
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    // responses are not decompressed here
    'accept-encoding': 'identity',
    'user-agent': 'portolan',
    ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
  };
  if (fetch) {
    return async (request, signal) => {
      const body = chatRequestBody(model, request);
      const response = await fetch(url.href, { method: 'POST', headers, body, signal, redirect: 'manual' });
      if (!response.ok || !response.body) {
        const { body: failed, headers: told } = response;
        const text = failed ? await readStart(Readable.fromWeb(failed as WebStream)) : '';
        throw toApiCallError(url, response, Object.fromEntries(told), text);
      }
      return partsOfResponse(Readable.fromWeb(response.body as WebStream));
    };
  }
  const isSecure = url.protocol === 'https:';
  const agentOptions = { keepAlive: true, timeout: idleMs };
  const options = {
    ...urlToHttpOptions(url),
    method: 'POST',
    agent: isSecure ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions),
    headers,
  };
  const send: Send = (body, signal) => {
    signal.throwIfAborted();
    const request = isSecure ? httpsRequest(options) : httpRequest(options);
    const opened = responseTo(request, url, signal);
    // outside the listener, whose closure would hold the body as long as the stream lives
    request.end(body);
    return opened;
  };
  return async (request, signal) => {
    const body = chatRequestBody(model, request);
    try {
      return await send(body, signal);
    } catch (error) {
      if (!(error instanceof StaleConnection) || signal.aborted) throw error;
      return await send(body, signal);
    }
  };
}

/** The server closed an idle connection before it read the request. */
class StaleConnection extends Error {}

function responseTo(request: ClientRequest, url: URL, signal: AbortSignal): Promise<PartStream> {
  return new Promise((resolve, reject) => {
    const abort = (): void => void request.destroy();
    signal.addEventListener('abort', abort, { once: true });
    request.on('close', () => signal.removeEventListener('abort', abort));
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(isStale ? new StaleConnection('The connection was closed', { cause: error }) : error);
    });
    request.on('response', (response) => {
      const { statusCode = 0 } = response;
      if (statusCode >= 200 && statusCode < 300) resolve(partsOfResponse(response));
      else readFailure(response, url).then(reject, reject);
    });
  });
}

/** A response other than a stream, as the error that provider packages throw; its body is truncated. */
async function readFailure(response: IncomingMessage, url: URL): Promise<APICallError> {
  const text = await readStart(response);
  const responseHeaders: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) if (value) responseHeaders[name] = String(value);
  const { statusCode: status = 0, statusMessage: statusText = '' } = response;
  return toApiCallError(url, { status, statusText }, responseHeaders, text);
}

/** The start of a body up to the limit; of a broken one, the part received. */
async function readStart(body: Readable): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= errorBytesMax) break;
    }
  } catch {
    // the status is enough without the body
  }
  return Buffer.concat(chunks).toString('utf8');
}

function toApiCallError(
  url: URL,
  { status, statusText }: { readonly status: number; readonly statusText: string },
  responseHeaders: Record<string, string>,
  body: string,
): APICallError {
  return new APICallError({
    message: statusText || 'The request failed',
    url: `${url.origin}${url.pathname}`,
    // never the prompt: errors are logged
    requestBodyValues: {},
    statusCode: status,
    responseHeaders,
    responseBody: body.slice(0, errorBytesMax),
  });
}
