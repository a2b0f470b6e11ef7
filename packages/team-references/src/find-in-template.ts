import { JqError, listTemplateBlocks, type TemplateBlock } from '@portolan/jq';
import { findInExpression, type Sink } from './find-in-expression.ts';
import { type Finding, worst } from './finding.ts';
import type { ReferenceContext } from './reference-context.ts';
import type { Shape } from './shape.ts';

/** The references to teams in the `{{ }}` blocks of a text; the text around them is prose. */
export function findInTemplate(text: string, shape: Shape, world: ReferenceContext, sink: Sink): Finding | undefined {
  if (!text.includes('{{')) return undefined;
  const found = listBlocks(text).flatMap((block) => {
    const finding = findInExpression(block.expression, shape, world, sink);
    return finding === undefined ? [] : [{ block, finding }];
  });
  if (found.length === 0) return undefined;
  const verdict = worst(found.map(({ finding }) => finding.verdict));
  const deciding = found.find(({ finding }) => finding.verdict === verdict)!.finding;
  const suggestions = found.flatMap(({ finding }) => finding.suggestion ?? []);
  return {
    references: found.flatMap(({ finding }) => finding.references),
    verdict,
    why: deciding.why,
    expression: text,
    ...(suggestions.length === 0
      ? {}
      : {
          suggestion: {
            value: rewritten(text, found),
            ...(suggestions.some(({ isPartial }) => isPartial) ? { isPartial: true } : {}),
            explanation: [...new Set(suggestions.map(({ explanation }) => explanation))].join(' '),
          },
        }),
  };
}

/** A template with unbalanced braces renders to nothing, so it has no findings. */
function listBlocks(text: string): TemplateBlock[] {
  try {
    return listTemplateBlocks(text);
  } catch (error) {
    if (error instanceof JqError) return [];
    throw error;
  }
}

function rewritten(
  text: string,
  found: readonly { readonly block: TemplateBlock; readonly finding: Finding }[],
): string {
  let result = '';
  let at = 0;
  for (const { block, finding } of found) {
    if (finding.suggestion === undefined) continue;
    result += text.slice(at, block.start) + String(finding.suggestion.value);
    at = block.end;
  }
  return result + text.slice(at);
}
