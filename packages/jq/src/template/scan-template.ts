import { JqSyntaxError } from '../errors.ts';

/** A part of a template string: literal text, or the expression of one `{{ }}` block with its place. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'block'; readonly source: string; readonly start: number; readonly end: number };

/**
 * Splits a template string into text and blocks. Braces inside single or double quotes within a block do not count.
 * Throws {@link JqSyntaxError} for a `{{` inside a block, a `}}` outside of one, and an unclosed block.
 */
export function scanTemplate(template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let textStart = 0;
  for (let at = 0; at < template.length; at++) {
    if (template.startsWith('}}', at)) throw new JqSyntaxError("'}}' without '{{'", template, at);
    if (!template.startsWith('{{', at)) continue;
    if (at > textStart) parts.push({ kind: 'text', text: template.slice(textStart, at) });
    const end = blockEnd(template, at);
    parts.push({ kind: 'block', source: template.slice(at + 2, end), start: at + 2, end });
    at = end + 1;
    textStart = end + 2;
  }
  if (textStart < template.length) parts.push({ kind: 'text', text: template.slice(textStart) });
  return parts;
}

/**
 * The position of the `}}` that closes the block opened at `open`; braces of the expression itself must be balanced.
 */
function blockEnd(template: string, open: number): number {
  let quote: string | undefined;
  let depth = 0;
  for (let at = open + 2; at < template.length; at++) {
    const char = template[at]!;
    if (quote !== undefined) {
      if (char === '\\') at++;
      else if (char === quote) quote = undefined;
    } else if (char === '"' || char === "'") quote = char;
    else if (template.startsWith('{{', at)) throw new JqSyntaxError("'{{' inside of a block", template, at);
    else if (char === '{') depth++;
    else if (char === '}') {
      if (depth === 0 && template[at + 1] === '}') return at;
      depth = Math.max(0, depth - 1);
    }
  }
  throw new JqSyntaxError("'{{' without '}}'", template, open);
}
