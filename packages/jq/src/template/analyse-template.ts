import { type AnalyseOptions, type Analysis, analyse } from '../analysis/analyse.ts';
import { type Edit, type RewrittenSource, rewrite } from '../rewrite/rewrite.ts';
import { listKeys } from '../value/object.ts';
import { isObject, type JqValue } from '../value/value.ts';
import { replaceSingleQuotes } from './platform-quotes.ts';
import { scanTemplate } from './scan-template.ts';

/** One `{{ }}` block of a document. */
export interface TemplateBlock {
  /** Keys and indices of the string that contains it; for a block in a key, that key comes last. */
  readonly path: readonly (string | number)[];
  readonly isInKey: boolean;
  readonly expression: string;
  /** Offsets of the expression in its string. */
  readonly start: number;
  readonly end: number;
}

const spread = /^\s*spreadValue\(\s*\)\s*$/;

/** All blocks of a document, in order. Throws {@link JqSyntaxError} for unbalanced braces. */
export function listTemplateBlocks(template: JqValue): TemplateBlock[] {
  const blocks: TemplateBlock[] = [];
  const note = (text: string, path: readonly (string | number)[], isInKey: boolean): void => {
    for (const part of scanTemplate(text)) {
      if (part.kind === 'text' || (isInKey && spread.test(part.source))) continue;
      blocks.push({ path, isInKey, expression: part.source, start: part.start, end: part.end });
    }
  };
  const visit = (value: JqValue, path: readonly (string | number)[]): void => {
    if (typeof value === 'string') note(value, path, false);
    else if (Array.isArray(value)) for (const [at, item] of value.entries()) visit(item, [...path, at]);
    else if (isObject(value)) {
      for (const key of listKeys(value)) {
        note(key, [...path, key], true);
        visit(value[key]!, [...path, key]);
      }
    }
  };
  visit(template, []);
  return blocks;
}

/** The reads of the document's expressions, block by block. Throws what `analyse` throws. */
export function analyseTemplate(
  template: JqValue,
  options: AnalyseOptions = {},
): { readonly block: TemplateBlock; readonly analysis: Analysis }[] {
  return listTemplateBlocks(template).map((block) => ({
    block,
    analysis: analyse(replaceSingleQuotes(block.expression), options),
  }));
}

/** Applies edits to every block of a template string; text outside the blocks stays as it is. */
export function rewriteTemplate(template: string, edits: readonly Edit[]): RewrittenSource {
  const changes: RewrittenSource['changes'][number][] = [];
  const remaining: RewrittenSource['remaining'][number][] = [];
  let text = '';
  let at = 0;
  for (const part of scanTemplate(template)) {
    if (part.kind === 'text') continue;
    const rewritten = rewrite(part.source, edits);
    const shift = <T extends { start: number; end: number }>(span: T): T => ({
      ...span,
      start: span.start + part.start,
      end: span.end + part.start,
    });
    changes.push(...rewritten.changes.map(shift));
    remaining.push(...rewritten.remaining.map(shift));
    text += template.slice(at, part.start) + rewritten.source;
    at = part.end;
  }
  return { source: text + template.slice(at), changes, remaining };
}
