import { JqError, JqRuntimeError } from '../errors.ts';
import { type CompileOptions, compile, type RunOptions } from '../program.ts';
import { listKeys, type ObjectDraft, setKey } from '../value/object.ts';
import { stringify } from '../value/stringify.ts';
import { isObject, type JqValue } from '../value/value.ts';
import { replaceSingleQuotes } from './platform-quotes.ts';
import { scanTemplate, type TemplatePart } from './scan-template.ts';

export interface TemplateOptions extends Pick<CompileOptions, 'regex'>, RunOptions {
  /** Called for every expression that failed; its block renders as null. */
  readonly onError?: (failure: TemplateFailure) => void;
  /** Throw the first failure instead of rendering null. Default false. */
  readonly isStrict?: boolean;
}

export interface TemplateFailure {
  readonly expression: string;
  /** The place in the document of the string with the block. */
  readonly path: readonly (string | number)[];
  readonly error: JqError;
}

/** A key that merges an object into the parent: `"{{ spreadValue() }}": "{{ .x }}"`. */
const spreadKey = /^\{\{\s*spreadValue\(\s*\)\s*\}\}$/;

/**
 * Renders a JSON document whose strings may hold `{{ jq }}` blocks, evaluated on `context`:
 * - a string that is one block keeps the type of the block's first output; other strings concatenate, with everything
 *   but strings as JSON (`null` is the text `null`, no output the text `undefined`);
 * - keys are templates too: null, no output or an empty text drops the pair, any other value that is no text throws;
 * - no output for a whole value drops the pair (in a list it becomes null);
 * - a failing expression is null, unless `isStrict`. Braces that do not match always throw {@link JqSyntaxError}.
 *
 * Undefined when the document is a single string without output.
 */
export function renderTemplate(
  template: JqValue,
  context: JqValue,
  options: TemplateOptions = {},
): JqValue | undefined {
  return render(template, context, options, []);
}

type Path = readonly (string | number)[];

function render(template: JqValue, context: JqValue, options: TemplateOptions, path: Path): JqValue | undefined {
  if (typeof template === 'string') return renderText(template, context, options, path);
  if (Array.isArray(template)) return template.map((item, at) => render(item, context, options, [...path, at]) ?? null);
  if (!isObject(template)) return template;
  const draft: ObjectDraft = {};
  for (const key of listKeys(template)) {
    const value = render(template[key]!, context, options, [...path, key]);
    if (spreadKey.test(key.trim())) {
      if (value === undefined || !isObject(value)) {
        throw new JqRuntimeError('spreadValue() needs an object as the value of its key', value ?? null);
      }
      for (const name of listKeys(value)) setKey(draft, name, value[name]!);
      continue;
    }
    const name = renderText(key, context, options, [...path, key]);
    if (name === undefined || name === null || name === '') continue;
    if (typeof name !== 'string') throw new JqRuntimeError(`a key must render to a text: ${key}`, name);
    if (value !== undefined) setKey(draft, name, value);
  }
  return draft;
}

function renderText(template: string, context: JqValue, options: TemplateOptions, path: Path): JqValue | undefined {
  if (!template.includes('{{') && !template.includes('}}')) return template;
  const trimmed = template.trim();
  const parts = scanTemplate(trimmed);
  const [only] = parts;
  if (parts.length === 1 && only?.kind === 'block') return evaluate(only, context, options, path);
  let text = '';
  for (const part of trimmed === template ? parts : scanTemplate(template)) {
    if (part.kind === 'text') text += part.text;
    else {
      const value = evaluate(part, context, options, path);
      text += typeof value === 'string' ? value : value === undefined ? 'undefined' : stringify(value);
    }
  }
  return text;
}

function evaluate(
  block: Extract<TemplatePart, { kind: 'block' }>,
  context: JqValue,
  options: TemplateOptions,
  path: Path,
): JqValue | undefined {
  const expression = replaceSingleQuotes(block.source);
  try {
    return compile(expression, options.regex === undefined ? {} : { regex: options.regex }).first(context, options);
  } catch (error) {
    if (!(error instanceof JqError) || options.isStrict === true) throw error;
    options.onError?.({ expression: block.source, path, error });
    return null;
  }
}
