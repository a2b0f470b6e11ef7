import type { TemplatedQuery } from '@portolan/contract/action-policy';
import { isRecord } from '@portolan/contract/json-value';
import { type SearchQuery, searchQuery } from '@portolan/contract/search-query';
import { JqError, type JqValue, listTemplateBlocks } from '@portolan/jq';
import type { EvaluationTime } from '../../platform/evaluation-time.ts';
import { firstOutput } from '../../platform/expressions.ts';
import { toIssues } from '../../platform/http/issues.ts';

/** Why a query of a policy was not asked. */
export class UnaskedQuery extends Error {}

const depthMax = 50;

/**
 * A query with its `{{ }}` filled in. What a caller sends can become a value of a rule and nothing more: a text, figure
 * or truth value, or a list of these, never a part of the rule itself. No value at all is a failure and not "is empty".
 * @throws UnaskedQuery
 */
export function renderQuery(query: TemplatedQuery, context: JqValue, time: EvaluationTime): SearchQuery {
  const rendered = render(query, context, time, 0);
  const parsed = searchQuery.safeParse(rendered);
  if (parsed.success) return parsed.data;
  const [first] = toIssues(parsed.error, rendered);
  throw new UnaskedQuery(`is not a query: ${first?.path ?? ''}: ${first?.message ?? ''}`);
}

function render(part: unknown, context: JqValue, time: EvaluationTime, depth: number): unknown {
  if (depth > depthMax) throw new UnaskedQuery(`is nested deeper than ${depthMax}`);
  if (typeof part === 'string') return renderText(part, context, time);
  if (Array.isArray(part)) return part.flatMap((item) => expandList(item, render(item, context, time, depth + 1)));
  if (!isRecord(part)) return part;
  const entries = Object.entries(part).map(([key, value]) => [key, render(value, context, time, depth + 1)] as const);
  return Object.fromEntries(entries);
}

/** A list that a block gave inside a list is meant to be part of it: `value: ["{{ .user.team }}"]`. */
function expandList(item: unknown, value: unknown): unknown[] {
  return typeof item === 'string' && Array.isArray(value) ? value : [value];
}

function renderText(text: string, context: JqValue, time: EvaluationTime): unknown {
  if (!text.includes('{{') && !text.includes('}}')) return text;
  if (isCallerTemplate(text)) return text;
  try {
    const blocks = listTemplateBlocks(text);
    const [only] = blocks;
    const trimmed = text.trim();
    if (only && blocks.length === 1 && trimmed.startsWith('{{') && trimmed.endsWith('}}')) {
      return comparable(firstOutput('policy', only.expression, context, time), only.expression);
    }
    let rendered = '';
    let at = 0;
    for (const { expression, start, end } of blocks) {
      rendered +=
        text.slice(at, start - braces.length) +
        comparableText(firstOutput('policy', expression, context, time), expression);
      at = end + braces.length;
    }
    return rendered + text.slice(at);
  } catch (error) {
    if (error instanceof JqError) throw new UnaskedQuery(`a template failed: ${text.slice(0, 100)}: ${error.message}`);
    throw error;
  }
}

const braces = '{{';

/** Whether searches themselves fill the text in with the caller. */
export function isCallerTemplate(text: string): boolean {
  return /^\{\{\s*getUser(Teams|Email|FullName)\(\)\s*\}\}$/.test(text);
}

function comparable(value: JqValue | undefined, expression: string): unknown {
  const list = Array.isArray(value) ? value : [value];
  if (list.every((each) => ['string', 'number', 'boolean'].includes(typeof each))) return value;
  throw new UnaskedQuery(`a template has no value that a rule can compare: ${expression.trim().slice(0, 100)}`);
}

function comparableText(value: JqValue | undefined, expression: string): string {
  const only = comparable(value, expression);
  if (!Array.isArray(only)) return String(only);
  throw new UnaskedQuery(`a template has a list where a text is: ${expression.trim().slice(0, 100)}`);
}
