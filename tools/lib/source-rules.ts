import type { SourceFile } from './source-files.ts';

const linesWarning = 300;
const linesMax = 500;

/** Comments that turn a check off: allowed for one line of lint with a reason, never for dependencies or types. */
const suppressions = [
  { pattern: /biome-ignore(-all|-start)?\b(?![^\n]*: ?\S.{8})/, advice: 'say why after a colon' },
  // Oxlint heeds both names
  { pattern: /(eslint|oxlint)-disable(?!-next-line|-line)/, advice: 'disable one line, not a file' },
  { pattern: /(eslint|oxlint)-disable-(next-)?line\b(?![^\n]* -- \S.{8})/, advice: 'say why after " -- "' },
  { pattern: /(dependency-cruiser|depcruise)[- ](disable|ignore)/, advice: 'change the rule, with a decision record' },
  { pattern: /@ts-(ignore|nocheck)/, advice: 'use @ts-expect-error with a reason' },
  { pattern: /@ts-expect-error(?![^\n]* \S.{8})/, advice: 'say why' },
];

/** Each suppression of a check in the file that has no reason or must not be. */
export function suppressionFindings({ path, text }: SourceFile): string[] {
  if (path === 'tools/lib/source-rules.ts' || path === 'tools/source-rules.test.ts') return [];
  return text
    .split('\n')
    .flatMap((line, index) =>
      suppressions
        .filter(({ pattern }) => pattern.test(line))
        .map(({ advice }) => `${path}:${index + 1}: ${line.trim()} (${advice})`),
    );
}

/** Files that are too long, and those that are getting there. */
export function fileSizeFindings(files: readonly SourceFile[]): { errors: string[]; warnings: string[] } {
  const written = files.filter(({ path }) => !path.includes('.generated.'));
  const counted = written.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }));
  const named = (list: typeof counted): string[] =>
    list.map(({ path, lines }) => `${path} has ${lines} lines: split it by role`);
  return {
    errors: named(counted.filter(({ lines }) => lines > linesMax)),
    warnings: named(counted.filter(({ lines }) => lines > linesWarning && lines <= linesMax)),
  };
}

/** Reads of the environment outside `config.ts`, and prints outside the command line. */
export function surroundingsFindings({ path, text }: SourceFile): string[] {
  const findings: string[] = [];
  // Handing the whole environment on, main.ts to `readConfig` and others to a child process, reads no setting.
  const readsEnvironment = path.endsWith('/src/main.ts') ? /process\.env\s*[.[]/ : /(?<!\.\.\.)process\.env\b/;
  if (!path.endsWith('/src/config.ts') && readsEnvironment.test(text)) {
    findings.push(`${path} reads the environment: take the value as an argument from config.ts`);
  }
  if (!path.startsWith('packages/cli/') && /(?<!\/\/.*)\bconsole\.\w+\(/.test(text)) {
    findings.push(`${path} prints: use the log it is given`);
  }
  return findings;
}

const gate = 'packages/server/src/modules/access/permit-entity-write.ts';
/** Decides what somebody may do with an entity: for writes called by the gate alone. */
const decisions = [
  'authorise',
  'canOn',
  'canUpdatePart',
  'canUpdateSome',
  'hiddenEntityKeys',
  'isVisible',
  'satisfiedGrants',
  'satisfiedGrantsOfDrafts',
];
/** Folders that define these, and files that explain or read and write no entity. */
const deciders =
  /^packages\/server\/src\/modules\/(access|rights)\/|\/policies\/(evaluated-entity|own-rights|personal-check)\.ts$/;

/** Imports of decisions about entities outside the gate of entity writes. */
export function writeGateFindings({ path, text }: SourceFile): string[] {
  if (deciders.test(path)) return [];
  const imported = [...text.matchAll(/^(?:import|export) \{([^}]*)\} from/gm)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim().split(' ')[0] ?? ''),
  );
  return decisions
    .filter((name) => imported.includes(name))
    .map((name) => `${path} decides by ${name} whether an entity may be written: that belongs to ${gate}`);
}

/** Evaluates without a time that is shared. */
const untimed = ['compile', 'renderTemplate', 'mappingEvaluator', 'compileExpression', 'evaluateMapping'];
/** Where time is given, and calculations, which end by their steps alone. */
const timesItself = /^packages\/server\/src\/(platform\/expressions|modules\/derived\/calculation)\.ts$/;

/** Expressions of the server that are evaluated without the time of their request or event. */
export function untimedFindings({ path, text }: SourceFile): string[] {
  if (!path.startsWith('packages/server/src/') || timesItself.test(path)) return [];
  const imports = text.matchAll(/^import \{([^}]*)\} from '(?:@portolan\/jq|[^']*\/expressions\.ts)';/gm);
  const imported = [...imports].flatMap(([, names = '']) => names.split(',').map((name) => name.trim().split(' ')[0]));
  return untimed
    .filter((name) => imported.includes(name))
    .map((name) => `${path} evaluates by ${name}: use what platform/expressions.ts evaluates within an EvaluationTime`);
}

const objectCheck = /typeof (\S+) [!=]== 'object' (?:&&|\|\|) \1 [!=]== null (?:&&|\|\|)\s+!?Array\.isArray\(\1\)/;
/** The home of the check, and packages that may not import it. */
const hasOwnObjectCheck = /^packages\/(jq|tables|team-references)\/|^packages\/contract\/src\/json-value\.ts$/;

/** An object of JSON told from null and lists by hand. */
export function objectCheckFindings({ path, text }: SourceFile): string[] {
  if (hasOwnObjectCheck.test(path) || !objectCheck.test(text)) return [];
  return [`${path} tells an object by hand: use isRecord of @portolan/contract/json-value`];
}

/** An import of what writes SQL; a type of it may be named anywhere. */
const sqlImport = /^import (?!type\b)[^;]*from '(sql-template-tag|[^']*\/db\/row\.ts)';/m;

/** SQL that belongs to no table: the tag of rows, messages between processes, the schema as a whole. */
const sqlPlumbing = ['dump-schema', 'replica-channel', 'row'].map(
  (name) => `packages/server/src/platform/db/${name}.ts`,
);

/** A file that writes SQL, and is neither a store nor builds SQL for one. */
export function sqlFindings({ path, text }: SourceFile): string[] {
  const writes = path.startsWith('packages/server/src/') && sqlImport.test(text);
  if (!writes || /\.(store|sql|test)\.ts$/.test(path) || sqlPlumbing.includes(path)) return [];
  return [`${path} writes SQL: move statements to the *.store.ts of their table, what builds conditions to a *.sql.ts`];
}

/** Terms of the field, of JSON Schema and of mathematics. */
const fieldTerms = /^(?:allOf|anyOf|oneOf|is\w+Of|besselYOf)$/;

/** Exported functions named for what they belong to (`nameOf`) instead of what they do (`readName`) or answer (`teamName`). */
export function nameFindings({ path, text }: SourceFile): string[] {
  const names = [...text.matchAll(/^export (?:async )?(?:function\*?|const) (\w+Of)\b/gm)].map(([, name = '']) => name);
  return names
    .filter((name) => !fieldTerms.test(name))
    .map((name) => `${path}: ${name}: begin with a verb, or name what it answers`);
}

/** Statements of the product whose rows have a stated type and no shape. This number may only get smaller. */
export const uncheckedReadsLeft = 16;

/** How many statements state the type of their rows, which nothing compares with the result. */
export function countUncheckedReads({ path, text }: SourceFile): number {
  if (!path.startsWith('packages/server/src/') || path.endsWith('.test.ts')) return 0;
  return text.match(/\.(?:rows|first)</g)?.length ?? 0;
}

/** A link whose address the compiler does not check: `component` takes the type of the route away. */
export function linkFindings({ path, text }: SourceFile): string[] {
  if (!/\bcomponent=\{Link\}/.test(text)) return [];
  return [`${path} has component={Link}: use ButtonLink and the others of packages/portal/src/frame/links.tsx`];
}
