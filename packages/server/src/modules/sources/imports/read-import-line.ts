import { entityWriteBody } from '@portolan/contract/entities';
import type { Issue } from '@portolan/contract/errors';
import { isRecord } from '@portolan/contract/json-value';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import { toIssues } from '../../../platform/http/issues.ts';
import { readJson } from '../../../platform/http/read-json.ts';
import type { BodyLine } from '../../../platform/http/read-lines.ts';
import type { IngestBody, RawItem } from '../ingest/ingest-item.ts';
import type { SyncProblem } from '../ingest/sync.ts';

/** Longest line of an import. */
export const lineBytesMax = 1024 * 1024;

export interface LineOptions {
  /** For lines that name none. */
  readonly blueprint: string | undefined;
  /** Hides secrets that were opened for the caller. */
  readonly mask: (value: unknown) => unknown;
}

/** What became of a line, or of a row of a table that takes several. */
export interface PlacedLine {
  readonly lastLine: number;
  /** Undefined for what holds nothing. */
  readonly read: RawItem | SyncProblem | undefined;
  readonly size: number;
}

const body = z.compile(entityWriteBody);

/** The entity on a line of JSON, what is wrong with it, or nothing on an empty line. */
export function readImportLine(
  line: number,
  { text, problem }: BodyLine,
  { blueprint: named, mask }: LineOptions,
): RawItem | SyncProblem | undefined {
  if (problem === 'too_long') return refused(line, 'payload_too_large', `is longer than ${lineBytesMax} bytes (1 MiB)`);
  if (text === undefined) return refused(line, 'invalid_json', 'is not UTF-8; save the file in that encoding');
  if (text === '') return undefined;
  let value: unknown;
  try {
    value = mask(readJson(text));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refused(line, error.code, error.message.replace(/^The body/, 'The line'));
  }
  if (!isRecord(value)) return refused(line, 'invalid_request', 'is not an object');
  const { identifier, blueprint = named } = value;
  if (typeof blueprint !== 'string' || blueprint === '') {
    return refused(line, 'invalid_request', 'names no blueprint, and neither does the query', '/blueprint');
  }
  if (typeof identifier !== 'string' || identifier === '') {
    return { ...refused(line, 'invalid_request', 'is required, as text', '/identifier'), blueprint };
  }
  const key = `${blueprint}/${identifier}`;
  return {
    line,
    key,
    text,
    blueprints: [blueprint],
    read: () => {
      const parsed = body.safeParse(value);
      if (parsed.success) return { parts: [{ blueprint, body: parsed.data as IngestBody }], problems: [] };
      const [first] = toIssues(parsed.error, value) as [Issue];
      const { message, path } = first;
      const wrong = {
        ...refused(line, 'invalid_request', `${path} ${message}`, path),
        itemKey: key,
        blueprint,
        identifier,
      };
      return { parts: [], problems: [wrong] };
    },
  };
}

function refused(line: number, code: SyncProblem['code'], message: string, path?: string): SyncProblem {
  return { severity: 'error', code, message, line, ...(path === undefined ? {} : { place: { path } }) };
}
