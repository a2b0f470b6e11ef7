import { isRecord } from '@portolan/contract/json-value';

/** A connected tool's result as a model sees it. */
export interface ForeignResult {
  readonly server: string;
  readonly tool: string;
  readonly text?: string;
  readonly structured?: Readonly<Record<string, unknown>>;
  /** Types of parts that cannot be shown: pictures, sound, links. */
  readonly omitted?: readonly string[];
}

const textMax = 100_000;
const partsMax = 200;

/** Parts other than text are named, not shown. */
export function readResult(
  from: { readonly server: string; readonly tool: string },
  { content, structuredContent }: Readonly<Record<string, unknown>>,
): ForeignResult {
  const parts = (Array.isArray(content) ? content : []).filter(isRecord);
  const texts: string[] = [];
  const omitted: string[] = [];
  for (const part of parts.slice(0, partsMax)) {
    const text = readText(part);
    if (text === undefined) omitted.push(describePart(part));
    else texts.push(text);
  }
  if (parts.length > partsMax) omitted.push(`${parts.length - partsMax} more parts`);
  const structured = isRecord(structuredContent) ? structuredContent : undefined;
  const text = withoutTags(texts.join('\n'));
  const isRepeated = structured !== undefined && texts.length === 1 && isSameJson(text, structured);
  return {
    server: from.server,
    tool: from.tool,
    ...(text === '' || isRepeated ? {} : { text: bounded(text) }),
    ...(structured ? { structured } : {}),
    ...(omitted.length > 0 ? { omitted } : {}),
  };
}

function readText(part: Readonly<Record<string, unknown>>): string | undefined {
  const { type, text, resource } = part;
  if (type === 'text' && typeof text === 'string') return text;
  if (type === 'resource' && isRecord(resource) && typeof resource['text'] === 'string') return resource['text'];
  return undefined;
}

function describePart({ type, mimeType, uri }: Readonly<Record<string, unknown>>): string {
  const kind = typeof type === 'string' ? type.slice(0, 50) : 'part';
  const what = [mimeType, uri].find((each) => typeof each === 'string');
  return what === undefined ? kind : `${kind} ${String(what).slice(0, 300)}`;
}

/** Removes tag characters: invisible to people, read as text by models. */
function withoutTags(text: string): string {
  return text.replace(/[\u{e0000}-\u{e007f}]/gu, '');
}

function bounded(text: string): string {
  return text.length > textMax
    ? `${text.slice(0, textMax).replace(/[\ud800-\udbff]$/, '')}\n[cut: ${text.length} characters in all]`
    : text;
}

/** Servers repeat structured content as text for older clients. */
function isSameJson(text: string, structured: object): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(structured);
  } catch {
    return false;
  }
}
