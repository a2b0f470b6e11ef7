import { JqError } from '../errors.ts';
import { compile } from '../program.ts';
import type { JqValue } from '../value/value.ts';
import { listTemplateBlocks } from './analyse-template.ts';
import { replaceSingleQuotes } from './platform-quotes.ts';

export interface Unreadable {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Why an expression can never be evaluated, undefined names included; undefined if it can. */
export function whyUnreadable(expression: string): string | undefined {
  return whyFailing(() => compile(replaceSingleQuotes(expression)));
}

/** The templates of a document that can never be rendered. Unbalanced braces are reported without a place. */
export function unreadableTemplates(document: JqValue): readonly Unreadable[] {
  let blocks: ReturnType<typeof listTemplateBlocks> = [];
  const braces = whyFailing(() => {
    blocks = listTemplateBlocks(document);
  });
  if (braces !== undefined) return [{ path: [], message: braces }];
  return blocks.flatMap(({ path, expression }) => {
    const message = whyUnreadable(expression);
    return message === undefined ? [] : [{ path, message }];
  });
}

function whyFailing(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof JqError) return error.message;
    throw error;
  }
}
