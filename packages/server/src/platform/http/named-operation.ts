import type { Operation } from '@portolan/contract/operation';
import { operations } from '@portolan/contract/operations';
import { type JqValue, listTemplateBlocks } from '@portolan/jq';
import { AppError } from '../errors.ts';
import { isBarred } from './barred-operations.ts';

/** A call of our own API with its templates, as its author wrote it. */
export interface WrittenCall {
  readonly method: string;
  readonly url: string;
}

/** The operation that a call reaches, with its path parameters. */
export interface NamedOperation {
  readonly operation: Operation;
  readonly filled: Readonly<Record<string, string>>;
}

interface NamingInput {
  readonly written: WrittenCall;
  /** Path and query of the rendered address. */
  readonly path: string;
  readonly method: string;
  /** Base address of the API. */
  readonly base: string;
  /** Path and query of an address of ours; undefined for others. */
  readonly pathOf: (url: string) => string | undefined;
}

/** Placeholder for a template block while the address around it is parsed. */
const blank = '~~block~~';

/**
 * The operation that a call of our own API names. What was filled in stands within single segments of the path and the
 * values of the query: it neither chooses the operation nor adds to it.
 * @throws AppError `missing_permissions` for one that names none, and for operations that are closed to runs
 */
export function namedOperation({ written, path, method, base, pathOf }: NamingInput): NamedOperation {
  if (method !== (written.method || 'POST').toUpperCase()) throw unnamed('its method is filled in');
  const named = pathOf(withBlanks(written.url, base));
  if (named === undefined) throw unnamed('its host is filled in');
  const [shape, called] = [splitPath(named), splitPath(path)];
  if (!isFilledFrom(shape.segments, called.segments)) throw unnamed('what is filled in leaves its part of the path');
  if (shape.names.some((name) => name.includes(blank)) || shape.names.join('&') !== called.names.join('&')) {
    throw unnamed('what is filled in changes its query');
  }
  const found = operationAt(method, called.segments.map(decoded));
  if (!found) throw unnamed('no operation has this method and path');
  const { operation, pattern } = found;
  if (pattern.some((part, at) => !isParameter(part) && shape.segments[at]?.includes(blank))) {
    throw unnamed('what is filled in chooses the operation');
  }
  if (isBarred(operation)) {
    const message = `Runs may not call "${operation.id}": it hands out what signs in, or decides on runs`;
    throw new AppError('missing_permissions', message);
  }
  const filled = pattern.flatMap((part, at) =>
    isParameter(part) && shape.segments[at]?.includes(blank)
      ? [[part.slice(1, -1), decoded(called.segments[at] as string)] as const]
      : [],
  );
  return { operation, filled: Object.fromEntries(filled) };
}

function unnamed(why: string): AppError {
  const message = `An action calls only the operation of this API that its address names: ${why}. Write method, host and path as they are called; templates stand for single parts of the path and for values of the query`;
  return new AppError('missing_permissions', message);
}

/** Replaces template blocks by placeholders; a block at the start stands for our base address. */
function withBlanks(url: string, base: string): string {
  let text = '';
  let at = 0;
  const trimmed = url.trim();
  for (const { start, end } of listTemplateBlocks(trimmed as JqValue)) {
    const isFirst = start === '{{'.length;
    text += trimmed.slice(at, start - 2) + (isFirst ? base.replace(/\/+$/, '') : blank);
    at = end + 2;
  }
  return text + trimmed.slice(at);
}

function splitPath(path: string): { readonly segments: readonly string[]; readonly names: readonly string[] } {
  const { pathname, searchParams } = new URL(`http://a${path}`);
  return { segments: pathname.slice(1).split('/'), names: [...searchParams.keys()] };
}

function isFilledFrom(shape: readonly string[], called: readonly string[]): boolean {
  if (shape.length !== called.length) return false;
  return shape.every((segment, at) => {
    const given = called[at] as string;
    if (!segment.includes(blank)) return segment === given;
    const parts = segment.split(blank).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return given !== '' && new RegExp(`^${parts.join('.*')}$`, 's').test(given);
  });
}

/** Matches like the router: literal segments before parameters, from the left. */
function operationAt(method: string, segments: readonly string[]) {
  const fitting = everyPath.filter(
    ({ operation, pattern }) =>
      operation.method === method &&
      pattern.length === segments.length &&
      pattern.every((part, at) => (isParameter(part) ? segments[at] !== '' : part === segments[at])),
  );
  const rank = ({ pattern }: (typeof fitting)[number]): string =>
    pattern.map((part) => (isParameter(part) ? '1' : '0')).join('');
  return fitting.sort((one, other) => rank(one).localeCompare(rank(other)))[0];
}

const everyPath = operations.flatMap((operation: Operation) =>
  [operation.path, ...(operation.aliases ?? [])].map((path) => ({ operation, pattern: path.slice(1).split('/') })),
);

function isParameter(part: string): boolean {
  return part.startsWith('{') && part.endsWith('}');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
