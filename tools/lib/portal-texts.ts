import ts from 'typescript';
import { filesUnder, type SourceFile } from './source-files.ts';

/** What the portal says: the texts, as keys of a catalogue, and the calls whose text cannot be read from the source. */
export interface PortalTexts {
  /** Each with its English words; what counts has one key a form, as CLDR calls them for English. */
  readonly texts: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
}

/** All of `t('…')`, `plural(count, '…', '…')` and `<Sentence text="…">` in the sources of the portal. */
export function portalTexts(files: readonly SourceFile[] = portalSources()): PortalTexts {
  const texts = new Map<string, string>();
  const problems: string[] = [];
  for (const { path, text } of files) {
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const lineOf = (node: ts.Node): number => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    const read = (node: ts.Node | undefined): string | undefined => {
      if (node && ts.isStringLiteralLike(node)) return node.text;
      problems.push(`${path}:${lineOf(node ?? source)} says a text that is not written there`);
      return undefined;
    };
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
        if (node.expression.text === 't') keep(texts, read(node.arguments[0]));
        if (node.expression.text === 'plural' && node.arguments.length > 2) {
          const [one, many] = [read(node.arguments[1]), read(node.arguments[2])];
          if (one !== undefined && many !== undefined) texts.set(`${many}_one`, one).set(`${many}_other`, many);
        }
      }
      for (const word of [...passedWords(node), ...countedWords(node)]) {
        problems.push(
          `${path}:${lineOf(node)} puts "${word}" in English into a text; write t('…') or plural(…) for it`,
        );
      }
      const untold = untranslated(node);
      if (untold) problems.push(`${path}:${lineOf(node)} says "${untold}" in English to everybody; write t('…')`);
      if (ts.isJsxSelfClosingElement(node) && node.tagName.getText(source) === 'Sentence') {
        keep(texts, read(attributeOf(node, source)));
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { texts, problems };
}

function keep(texts: Map<string, string>, text: string | undefined): void {
  if (text !== undefined) texts.set(text, text);
}

function attributeOf(node: ts.JsxSelfClosingElement, source: ts.SourceFile): ts.Node | undefined {
  const text = node.attributes.properties.find(
    (each): each is ts.JsxAttribute => ts.isJsxAttribute(each) && each.name.getText(source) === 'text',
  )?.initializer;
  return text && ts.isJsxExpression(text) ? text.expression : text;
}

/** Attributes that people read or hear. */
const spoken = new Set(['label', 'placeholder', 'title', 'description', 'aria-label', 'alt', 'error']);
/** Names, formats and examples, which are the same in every language. */
const sameEverywhere =
  /^(Portolan|AI|API|JSON|YAML|JQ|MCP|URL|Helm|Docker|GitHub|Kafka|Esc|Ctrl|Slack|of)$|https?:|@|^[.$]|^if \.|\{\{/;

function untranslated(node: ts.Node): string | undefined {
  const text = ts.isJsxText(node)
    ? node.text.trim()
    : ts.isJsxAttribute(node) &&
        spoken.has(node.name.getText()) &&
        node.initializer &&
        ts.isStringLiteral(node.initializer)
      ? node.initializer.text
      : '';
  return /\p{L}{2}/u.test(text) && !sameEverywhere.test(text) ? text : undefined;
}

/** The words that a text gets as values in English: `t('{name} is {state}', { state: isOn ? 'on' : 'off' })`. */
function passedWords(node: ts.Node): string[] {
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return [];
  if (!['t', 'plural'].includes(node.expression.text)) return [];
  const values = node.arguments.at(-1);
  if (!values || !ts.isObjectLiteralExpression(values)) return [];
  return values.properties
    .flatMap((each) => (ts.isPropertyAssignment(each) ? spokenParts(each.initializer) : []))
    .filter((word) => /\p{L}/u.test(word) && !sameEverywhere.test(word));
}

/** The words of `{count === 1 ? 'row' : 'rows'}`, and of an expression between tags. */
function countedWords(node: ts.Node): string[] {
  const isChild = ts.isJsxExpression(node) && (ts.isJsxElement(node.parent) || ts.isJsxFragment(node.parent));
  const isCount = ts.isConditionalExpression(node) && /=== 1$/.test(node.condition.getText());
  const said = isChild ? node.expression : isCount ? node : undefined;
  return said ? spokenParts(said).filter((word) => /\p{L}{2}/u.test(word) && !sameEverywhere.test(word)) : [];
}

/** What an expression says itself, in either of its branches. */
function spokenParts(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isParenthesizedExpression(node)) return spokenParts(node.expression);
  if (ts.isConditionalExpression(node)) return [...spokenParts(node.whenTrue), ...spokenParts(node.whenFalse)];
  if (ts.isTemplateExpression(node)) {
    return [
      node.head.text,
      ...node.templateSpans.flatMap(({ expression, literal }) => [...spokenParts(expression), literal.text]),
    ];
  }
  if (ts.isBinaryExpression(node)) {
    const isCondition = node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
    return [...(isCondition ? [] : spokenParts(node.left)), ...spokenParts(node.right)];
  }
  return [];
}

/** Where the functions themselves are made, texts are passed on. */
const makers = /\/kit\/(translate|sentence|pseudo|language)\.tsx?$/;

function portalSources(): SourceFile[] {
  return filesUnder(['packages/portal/src'], /\.tsx?$/).filter(
    ({ path }) => !/\.test\.tsx?$|\.test-d\.ts$/.test(path) && !makers.test(path),
  );
}

/** Placeholders and marks of a text, which a translation keeps: `{title}`, `<time/>`. */
export function findPlaceholders(text: string): string[] {
  return [...new Set(text.match(/\{\w+\}|<\w+\/?>/g) ?? [])].sort();
}
