import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { compilePattern } from './patterns.ts';

/**
 * Why the JSON of an answer is not as the schema says; undefined if it is. The JSON is the whole answer, or its first
 * fenced block.
 */
export function explainSchema(answer: string, schema: object): string | undefined {
  const text = readFence(answer) ?? answer;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'it is no JSON';
  }
  const validate = compileSchema(schema);
  try {
    if (validate(value)) return undefined;
  } catch (error) {
    return `a pattern of the schema could not be tried on it: ${(error as Error).message}`;
  }
  const [first] = validate.errors ?? [];
  return `${first?.instancePath || 'its JSON'} ${first?.message}`;
}

/** Why a schema cannot be compiled; undefined if it can. */
export function explainBadSchema(schema: object): string | undefined {
  try {
    compileSchema(schema);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function compileSchema(schema: object): ValidateFunction {
  const regExp = (pattern: string) => {
    const compiled = compilePattern(pattern);
    return { test: (subject: string) => compiled.test(subject), toString: () => pattern } as unknown as RegExp;
  };
  // what a format means differs between programs, so none is checked
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    logger: false,
    ownProperties: true,
    code: { regExp: Object.assign(regExp, { code: 'compilePattern' }) },
  });
  return ajv.compile(schema);
}

function readFence(answer: string): string | undefined {
  const lines = answer.split(/\r?\n/);
  const start = lines.findIndex((line) => /^\s*```(?:json)?\s*$/i.test(line));
  if (start < 0) return undefined;
  const end = lines.findIndex((line, at) => at > start && line.trim() === '```');
  return lines.slice(start + 1, end < 0 ? undefined : end).join('\n');
}
