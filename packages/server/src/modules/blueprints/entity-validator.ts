import type { SchemaProperty } from '@portolan/contract/blueprints';
import type { Issue } from '@portolan/contract/errors';
import { JqBudgetError } from '@portolan/jq';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { LRUCache } from 'lru-cache';
import type { Tx } from '../../platform/db/database.ts';
import type { PropertyMap, StoredBlueprint } from './blueprint.ts';

/** Tests a subject against a user's pattern without ever running away. */
export type CompilePattern = (pattern: string) => { test(subject: string): boolean };

/**
 * Checks the property values of an entity (unset ones absent) against its blueprint; answers every issue. All checks
 * within one transaction, however many entities it writes, share the time that slow patterns may take.
 */
export type CheckProperties = (
  blueprint: StoredBlueprint,
  properties: Readonly<Record<string, unknown>>,
  within: Tx,
) => Issue[];

const validatorsKept = 2_000;
const definitionCharactersKept = 2_000_000;

/** Validators are compiled from the blueprint once and kept by its version. */
export function createPropertyChecker(compilePattern: CompilePattern): CheckProperties {
  const allowance = createAllowance();
  const ajv = createAjv(compilePattern, allowance);
  const kept = new LRUCache<string, ValidateFunction>({ max: validatorsKept });
  return (blueprint, properties, within) => {
    const id = `${blueprint.orgId}:${blueprint.key}:${blueprint.version}`;
    let validate = kept.get(id);
    if (!validate) {
      const { properties: defined, required } = blueprint.definition.schema;
      validate = compileOnce(ajv, toSchema(defined, required));
      kept.set(id, validate);
    }
    allowance.openFor(within);
    return findIssues(validate, properties, allowance);
  };
}

/** Checks values (unset ones absent) against definitions that are no blueprint's; answers every issue, under `/properties`. */
export type CheckValues = (definitions: PropertyMap, values: Readonly<Record<string, unknown>>) => Issue[];

/** Validators are kept by the text of their definitions: compiling one takes longer than everything else of a form. */
export function createValueChecker(compilePattern: CompilePattern): CheckValues {
  const allowance = createAllowance();
  const ajv = createAjv(compilePattern, allowance);
  const kept = new LRUCache<string, ValidateFunction>({ max: validatorsKept, maxSize: definitionCharactersKept });
  return (definitions, values) => {
    const text = JSON.stringify(definitions);
    let validate = kept.get(text);
    if (!validate) {
      validate = compileOnce(ajv, toSchema(definitions, []));
      kept.set(text, validate, { size: text.length });
    }
    allowance.openFor({});
    return findIssues(validate, values, allowance);
  };
}

/** Whether each property definition is a schema that can be compiled; answers an issue for each that is not. */
export function createDefinitionChecker(compilePattern: CompilePattern): (properties: PropertyMap) => Issue[] {
  const ajv = createAjv(compilePattern, createAllowance());
  return (properties) =>
    Object.entries(properties).flatMap(([key, property]) => {
      try {
        compileOnce(ajv, toSchema({ [key]: property }, []));
        return [];
      } catch (error) {
        const reason = error instanceof Error ? error.message : 'unreadable';
        return [{ path: `/schema/properties/${key}`, message: `is not a usable definition: ${reason}` }];
      }
    });
}

/** Compiles without a trace: ajv would keep every schema it has seen, for ever. */
function compileOnce(ajv: Ajv2020, schema: ReturnType<typeof toSchema>): ValidateFunction {
  try {
    return ajv.compile(schema);
  } finally {
    ajv.removeSchema(schema);
  }
}

/** Time that slow patterns may take of one piece of work, all of them and all values of all its entities together. */
interface Allowance {
  /** Goes on with what is left for a piece of work. */
  readonly openFor: (work: object) => void;
  readonly isSpent: () => boolean;
  readonly spend: (ms: number) => void;
}

const slowMsMax = 1_000;
/** A match that takes less is no burden, however many there are: the bytes of a body bound them. */
const slowFromMs = 2;
/** One that ran out of its own time: the second is the last. */
const outOfTimeMs = slowMsMax / 2;

function createAllowance(): Allowance {
  const spent = new WeakMap<object, { ms: number }>();
  let current = { ms: 0 };
  return {
    openFor: (work) => {
      current = spent.get(work) ?? { ms: 0 };
      spent.set(work, current);
    },
    isSpent: () => current.ms >= slowMsMax,
    spend: (ms) => {
      if (ms >= slowFromMs) current.ms += ms;
    },
  };
}

function createAjv(compilePattern: CompilePattern, allowance: Allowance): Ajv2020 {
  /** ajv tells patterns apart by their text form. */
  const regExp = (pattern: string) => {
    const compiled = compilePattern(pattern);
    return {
      test: (subject: string) => matchesInTime(compiled, subject, allowance),
      toString: () => pattern,
    } as unknown as RegExp;
  };
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    validateFormats: true,
    logger: false,
    addUsedSchema: false,
    // a property may be called `constructor`
    ownProperties: true,
    code: { regExp: Object.assign(regExp, { code: 'regExp' }) },
  });
  ajvFormats.default(ajv, ['date-time', 'email', 'ipv4', 'ipv6']);
  ajv.addFormat('url', isAddress);
  return ajv;
}

/**
 * An absolute address as browsers read it: letters of any script, braces and bars are common in what integrations
 * send, blanks are not.
 */
function isAddress(value: string): boolean {
  return !/[\s<>"]/.test(value) && URL.canParse(value);
}

/**
 * A value that cannot be tested within the time and length allowed does not match, and neither do those after it once the
 * allowance is spent: a list could hold thousands that each take all the time of one.
 */
function matchesInTime(compiled: ReturnType<CompilePattern>, subject: string, allowance: Allowance): boolean {
  if (allowance.isSpent()) return false;
  const from = performance.now();
  try {
    const isMatch = compiled.test(subject);
    allowance.spend(performance.now() - from);
    return isMatch;
  } catch (error) {
    if (!(error instanceof JqBudgetError)) throw error;
    if (error.limit === 'regexTime') allowance.spend(outOfTimeMs);
    return false;
  }
}

function toSchema(properties: PropertyMap, required: readonly string[] | undefined) {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([key, property]) => [key, valueSchema(property)])),
    required: required ?? [],
    additionalProperties: false,
  };
}

/** Members that constrain values (api contract §3.1.2); all others are for display. */
const constraints = [
  'type',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'properties',
  'patternProperties',
  'additionalProperties',
  'required',
] as const;

const checkedFormats: Readonly<Record<string, string>> = {
  'date-time': 'date-time',
  timer: 'date-time',
  url: 'url',
  email: 'email',
  ipv4: 'ipv4',
  ipv6: 'ipv6',
};

function valueSchema(property: Partial<SchemaProperty> & Record<string, unknown>): Record<string, unknown> {
  const schema: Record<string, unknown> = {};
  for (const key of constraints) if (property[key] !== undefined) schema[key] = property[key];
  const { format } = property;
  if (format === 'idn-email' || format === 'idn-format') schema['pattern'] = '^[^@\\s]+@[^@\\s]+$';
  else if (format === 'labeled-url') Object.assign(schema, labeledUrl);
  else if (format && checkedFormats[format]) schema['format'] = checkedFormats[format];
  if (property.items && Object.keys(property.items).length > 0) {
    schema['items'] = valueSchema(property.items as Record<string, unknown>);
  }
  return schema;
}

const labeledUrl = {
  properties: { url: { type: 'string', format: 'url' }, displayText: { type: 'string' } },
  required: ['url'],
};

/** Some of these values may be right: nobody can tell. */
const tooSlow =
  'does not match its pattern, or was not tested: the patterns of the blueprint take too long. Send fewer values at once, or make the patterns simpler';

function findIssues(validate: ValidateFunction, values: unknown, allowance: Allowance): Issue[] {
  if (validate(values)) return [];
  const isSpent = allowance.isSpent();
  return (validate.errors ?? []).map((error) => toIssue(error, isSpent));
}

function toIssue(error: ErrorObject, isSpent: boolean): Issue {
  const at = `/properties${error.instancePath}`;
  const { params } = error;
  switch (error.keyword) {
    case 'pattern':
      return { path: at, message: isSpent ? tooSlow : (error.message ?? 'does not match the pattern') };
    case 'additionalProperties':
      return { path: `${at}/${params['additionalProperty']}`, message: 'is not a property of the blueprint' };
    case 'required':
      return { path: `${at}/${params['missingProperty']}`, message: 'is required' };
    case 'enum':
      return { path: at, message: `must be one of ${JSON.stringify(params['allowedValues'])}` };
    case 'format':
      return { path: at, message: `must be a valid ${params['format']}` };
    default:
      return { path: at, message: error.message ?? 'is not valid' };
  }
}
