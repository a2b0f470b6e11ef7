/** jq for untrusted expressions. Everything here runs in browsers too; threads are in `@portolan/jq/node`. */
export {
  type AnalyseOptions,
  type Analysis,
  affects,
  analyse,
  analyseExpression,
  type Shape,
} from './analysis/analyse.ts';
export { type Inspection, inspect, type Step, type TextLiteral } from './analysis/inspect.ts';
export type { AnalysisEffort } from './analysis/interpreter.ts';
export { formatPlace, type Place, type Segment, type UnknownSegment } from './analysis/place.ts';
export type { PathRead, ReadDepth } from './analysis/record.ts';
export { type Budget, defaultBudget } from './budget.ts';
export { builtinSignatures } from './builtins/builtins.ts';
export { type CommandOptions, type CommandResult, commandExitCodes, runJqCommand } from './command.ts';
export {
  type BudgetLimit,
  JqBudgetError,
  JqError,
  JqRefusedError,
  JqRuntimeError,
  JqSyntaxError,
  type SourcePosition,
} from './errors.ts';
export { type EvaluateExpression, mappingEvaluator, mappingMillisecondsMax } from './mapping/evaluate-expression.ts';
export {
  type EventMapping,
  type MappedResource,
  type MappingPath,
  mappingExpressions,
  mappingsOfResource,
  unreadableExpressions,
} from './mapping/event-mapping.ts';
export { type MapContext, type MappedEvent, type MappedItem, mapEvent } from './mapping/map-event.ts';
export { type CompileOptions, compile, type Program, type RunOptions } from './program.ts';
export { createRegexEngine, linearRegexEngine } from './regex/linear-engine.ts';
export type { BacktrackEngine, BacktrackRequest, RegexEngine, RegexMatch } from './regex/regex-engine.ts';
export { createSafeRegex, type SafeMatch, type SafeRegex, type SafeRegexOptions } from './regex/safe-regex.ts';
export type { ComparisonEdit, PathEdit } from './rewrite/edits.ts';
export {
  type Change,
  type Edit,
  type RemainingPlace,
  type RewrittenSource,
  rewrite,
} from './rewrite/rewrite.ts';
export type * from './syntax/ast.ts';
export { parse } from './syntax/parser.ts';
export { print } from './syntax/print.ts';
export { childrenOfExpression, visitExpression } from './syntax/visit.ts';
export {
  analyseTemplate,
  listTemplateBlocks,
  rewriteTemplate,
  type TemplateBlock,
} from './template/analyse-template.ts';
export { replaceSingleQuotes } from './template/platform-quotes.ts';
export { renderTemplate, type TemplateFailure, type TemplateOptions } from './template/render-template.ts';
export { type Unreadable, unreadableTemplates, whyUnreadable } from './template/unreadable.ts';
export { JsonTextError, parseJson } from './value/parse-json.ts';
export { stringify } from './value/stringify.ts';
export type { JqArray, JqObject, JqType, JqValue } from './value/value.ts';
