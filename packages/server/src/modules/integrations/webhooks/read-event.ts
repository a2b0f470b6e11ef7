import type { JqValue } from '@portolan/jq';
import { AppError } from '../../../platform/errors.ts';
import { readJson } from '../../../platform/http/read-json.ts';

/** The request as mappings see it (api contract §3.14). */
export interface WebhookEvent {
  readonly body: JqValue;
  /** Keys are lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly queryParams: Readonly<Record<string, string | readonly string[]>>;
}

export interface RawEvent {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly query: Readonly<Record<string, string | string[]>>;
}

export function toHeaders({ headers }: RawEvent): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

/** Credentials must not be stored or shown with events. */
const neverKept = new Set(['authorization', 'cookie', 'proxy-authorization']);

/**
 * Reads the event to map and store: JSON, form fields, or plain text. The signature header is dropped, because a plain
 * one is the secret itself.
 * @throws AppError `invalid_json`, `invalid_request` if it cannot be stored
 */
export function readEvent(raw: RawEvent, signatureHeader: string | null | undefined): WebhookEvent {
  const left = new Set([...neverKept, ...(signatureHeader ? [signatureHeader.toLowerCase()] : [])]);
  const headers = Object.fromEntries(Object.entries(toHeaders(raw)).filter(([name]) => !left.has(name)));
  const around = storable({ headers, queryParams: { ...raw.query } }) as Omit<WebhookEvent, 'body'>;
  return { body: parseBody(raw.bytes.toString('utf8'), headers['content-type'] ?? ''), ...around };
}

function parseBody(text: string, contentType: string): JqValue {
  if (contentType.startsWith('application/x-www-form-urlencoded')) {
    return storable(Object.fromEntries(new URLSearchParams(text))) as JqValue;
  }
  try {
    return (readJson(text) ?? null) as JqValue;
  } catch (error) {
    const isText = /^text\/(?!json)/.test(contentType) || contentType.includes('xml');
    if (!isText || !(error instanceof AppError) || error.code !== 'invalid_json') throw error;
    return storable(text) as JqValue;
  }
}

/** Parses like a request body, which refuses values that the database cannot store. */
function storable(value: unknown): unknown {
  return readJson(JSON.stringify(value));
}
