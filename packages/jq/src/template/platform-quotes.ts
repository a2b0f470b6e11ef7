/** An opening quote: at the start or after blank space, and not before blank space or a double quote. */
const opening = /(^|\s)'(?![\s"])/g;
/** A closing quote: at the end or before blank space, and not after blank space or a double quote. */
const closing = /(?<![\s"])'(\s|$)/g;

/**
 * Stored expressions of the platform may use single quotes around strings; they become double quotes by the platform's
 * own narrow rule, which misses quotes that touch other characters: `.x == 'y'` works, `select(.x == 'y')` does not.
 */
export function replaceSingleQuotes(expression: string): string {
  return expression.replace(opening, '$1"').replace(closing, '"$1');
}
