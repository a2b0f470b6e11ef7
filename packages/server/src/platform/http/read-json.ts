import type { Issue } from '@portolan/contract/errors';
import { parse } from 'secure-json-parse';
import { AppError, invalidRequest } from '../errors.ts';
import { pointer } from './issues.ts';

/** Deeper values would overflow the stack of recursive readers; documents that people write stay far below. */
const depthMax = 200;
/**
 * Values in a body, counting entries of lists and objects: reading costs by value more than by byte. Far above what
 * clients send in a mebibyte.
 */
const valuesMax = 20_000;
const issuesMax = 20;

/** The only ways to write a number beyond the range of a double: an exponent of three digits, or very many digits. */
const endlessNumber = /\d[eE]\+?\d{3}|\d{100}/;

/** The only ways to write unstorable text in JSON: raw U+0000 is no JSON, and bytes cannot form half a pair. */
const escapeOfBadText = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Reads a body of a JSON type; an empty one counts as no body. Keys that could poison a prototype are refused.
 * @throws AppError `invalid_json`; `invalid_request` for nesting beyond 200 levels, for more than 20,000 values and, each
 * with its path, for numbers beyond all range and text with U+0000 or half a surrogate pair, which PostgreSQL cannot hold
 */
export function readJson(text: string): unknown {
  if (text === '') return undefined;
  const excess = findExcess(text, { depthMax, valuesMax });
  if (excess === 'depth') {
    throw invalidRequest([{ path: '', message: `is nested deeper than ${depthMax} levels` }], 'The body');
  }
  if (excess === 'values') {
    throw invalidRequest(
      [{ path: '', message: `holds more than ${valuesMax} values; send them in parts` }],
      'The body',
    );
  }
  const value = parsed(text);
  if (escapeOfBadText.test(text) || endlessNumber.test(text)) {
    const issues = unstorableIssues(value);
    if (issues.length > 0) throw invalidRequest(issues, 'The body');
  }
  return value;
}

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unreadable';
    throw new AppError('invalid_json', `The body is not valid JSON: ${reason}`, { cause });
  }
}

const [quote, backslash, openList, closeList, openObject, closeObject, comma] = [...'"\\[]{},'].map((sign) =>
  sign.charCodeAt(0),
);

/** Whether JSON text is nested deeper than `levels`; says nothing about other text. */
export function isNestedDeeper(text: string, levels: number): boolean {
  return findExcess(text, { depthMax: levels, valuesMax: text.length }) === 'depth';
}

/** Whether JSON text holds more values than a body may. */
export function holdsTooMany(text: string): boolean {
  return findExcess(text, { depthMax: text.length, valuesMax }) === 'values';
}

/** Values that no database can store, each with its path, up to a limit. */
export function unstorableIssues(value: unknown): Issue[] {
  const issues: Issue[] = [];
  collectUnstorable(value, [], issues);
  return issues;
}

/** Counts brackets and commas outside strings: about a millisecond for the largest body. */
function findExcess(text: string, most: { depthMax: number; valuesMax: number }): 'depth' | 'values' | undefined {
  if (text.length <= Math.min(most.depthMax, most.valuesMax)) return undefined;
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === quote) {
      for (at += 1; at < text.length && text.charCodeAt(at) !== quote; at += 1) {
        if (text.charCodeAt(at) === backslash) at += 1;
      }
    } else if (sign === comma) {
      values += 1;
      if (values > most.valuesMax) return 'values';
    } else if (sign === openList || sign === openObject) {
      depth += 1;
      if (depth > most.depthMax) return 'depth';
    } else if (sign === closeList || sign === closeObject) depth -= 1;
  }
  return undefined;
}

function collectUnstorable(value: unknown, path: readonly string[], issues: Issue[]): void {
  if (issues.length >= issuesMax) return;
  if (typeof value === 'string') {
    if (isBadText(value)) issues.push({ path: pointer(path), message: badText });
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) issues.push({ path: pointer(path), message: 'is a number beyond all range' });
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collectUnstorable(item, [...path, String(index)], issues);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (isBadText(key)) issues.push({ path: pointer(path), message: `has a key that ${badText}` });
      collectUnstorable(item, [...path, key], issues);
    }
  }
}

/** With the `u` flag the class of surrogates matches only unpaired halves. */
const halfPair = /\p{Surrogate}/u;

export const badText = 'holds U+0000 or half a surrogate pair, which cannot be stored';

/** Whether PostgreSQL cannot hold the text. */
export function isBadText(text: string): boolean {
  return text.includes('\u0000') || halfPair.test(text);
}
